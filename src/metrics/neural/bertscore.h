// BERTScore as a metric (Zhang et al. 2020), as the package bert-score 0.3.13 computes it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "data/records.h"
#include "distributed/ranks.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/bertscore_kind.h"
#include "metrics/neural/model_use.h"

namespace rubric::metrics {

struct BertScoreOptions {
  // Whose output is compared; else the usual one of the model's name.
  std::optional<int64_t> layer = {};
  // Weight tokens by inverse document frequency in the references that are scored.
  bool idf = false;
  std::filesystem::path baseline = {};  // the file to rescale with; "": no rescaling
  bool int8 = false;                    // the weights in 8 bits (models/ops/int8.h)
  int64_t max_tokens = kTokensPerThread;
  // Tokens whose vectors are kept at once, besides those needed again.
  int64_t window_tokens = 65536;
  bool show_progress = false;
  const distributed::Ranks& ranks = distributed::kOneProcess;  // share the texts; all call score()
};

// The metric `bertscore`: F1, with precision and recall as bertscore_p and bertscore_r; with
// several references the maximum of each. A row with an empty text scores 0 before rescaling; a
// warning counts them. Texts longer than the model's positions are truncated and counted. `model`
// is a name or a directory. Throws InputError when it is not an encoder with a tokenizer, when its
// layer is unknown or out of range, for a malformed baseline, and, while scoring, for a record
// without a reference; Error when a score is not finite.
std::unique_ptr<Metric<data::Answer>> make_bertscore(const std::string& model,
                                                     const BertScoreOptions& options = {});

// Data that bert-score ships: the layer to use for each model, and baselines.

// The layer that bert-score 0.3.13 uses for a model of this name (its table model2layers, as far as
// models/encoders/list.h has the models' kinds): the published name, with or without its owner, or
// a directory of that name. Nothing for other models.
std::optional<int64_t> usual_layer(const std::string& model);

// Precision, recall and F1 of unrelated texts.
using Baseline = std::array<double, 3>;

// Reads the row of `layer` from a file of bert-score's rescale_baseline/: CSV with the columns
// LAYER, P, R and F. Throws InputError naming file and line when there is none or a value is not
// below 1.
Baseline read_baseline(const std::filesystem::path& file, int64_t layer);

}  // namespace rubric::metrics
