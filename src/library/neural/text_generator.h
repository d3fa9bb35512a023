// Generates texts for sources with a model directory, text in and text out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/system/parallel.h"
#include "data/records.h"
#include "data/source_targets/pair_config.h"
#include "data/source_targets/token_pairs.h"
#include "metrics/neural/opened_sequence_model.h"
#include "models/generation/generate.h"

namespace rubric::library {

class TextGenerator {
 public:
  // Throws InputError as open_sequence_model() and pair_template() do, and when the model has too
  // few positions for options.max_new_tokens.
  TextGenerator(const std::filesystem::path& model_directory, const data::PairConfig& config,
                const models::GenerationOptions& options);

  // Checks records before generation starts: throws InputError naming one that cannot be read, and
  // warns of sources that will be truncated.
  void check(std::span<const data::SourceTarget> records) const;

  // Returns the text of each record in order; the first record has the number `first`. Each `group`
  // of records, a multiple of `batch`, is sorted by length and computed `batch` at a time. Batches
  // do not depend on the share: only those of the share are computed, and the other texts are
  // empty. Throws as generate() does.
  std::vector<std::string> texts(std::span<const data::SourceTarget> records, int64_t first,
                                 int64_t batch, int64_t group, WorkShare share = {}) const;

  // Of the weights and the tokenizer.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  std::string text_of(std::vector<int64_t> tokens) const;

  metrics::OpenedSequenceModel opened_;
  data::PairTemplate template_;
  models::GenerationOptions options_;
  std::string fingerprint_;
};

}  // namespace rubric::library
