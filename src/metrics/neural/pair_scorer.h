// The log-probabilities that a model directory gives to targets, text in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/source_targets/pair_config.h"
#include "data/records.h"
#include "data/source_targets/token_pairs.h"
#include "distributed/ranks.h"
#include "models/opened_sequence_model.h"

namespace rubric {

// What becomes of a log-probability that is not finite: an Error, or a value like any other.
enum class NotFinite { refuse, keep };

class PairScorer {
 public:
  // `ranks` share the batches, and all call log_probabilities(). Throws InputError as
  // open_sequence_model() and pair_template() do.
  PairScorer(const std::filesystem::path& model_directory, const PairConfig& config,
             const Ranks& ranks = kOneProcess);

  // Before hours are spent on some records: throws InputError naming one that cannot be scored, and
  // the place that they are of where one is given; counts, with a warning, what will be cut.
  void check(std::span<const SourceTarget> records, const std::string& where = "");

  // log p of each token of each record's target, without what is given of it. Throws as check()
  // does, Error naming the record when a value is not finite and that is refused, Interrupted when
  // a stop is requested. `advance` is told how many records were scored.
  std::vector<std::vector<float>> log_probabilities(
      std::span<const SourceTarget> records, const std::function<void(int64_t)>& advance = {},
      NotFinite not_finite = NotFinite::refuse) const;

  // "model:3f9a…|pairs:5b01…|start:model|eos:yes|trunc:12+0/890": the weights, the configuration of
  // pairs, sources and targets cut, and of how many.
  std::string signature() const;

  const std::string& fingerprint() const { return fingerprint_; }  // of weights and tokenizer

 private:
  SequenceModel opened_;
  PairConfig config_;
  PairTemplate template_;
  const Ranks& ranks_;
  std::string fingerprint_;
  int64_t cut_sources_ = 0, cut_targets_ = 0, rows_ = 0;
};

}  // namespace rubric
