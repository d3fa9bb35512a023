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
#include "metrics/metric.h"
#include "metrics/neural/batched_inference.h"

namespace rubric::metrics {

struct BertScoreOptions {
  std::optional<int64_t> layer = {};  // whose output counts; else the usual one of the model's name
  bool idf = false;  // weigh tokens by their rarity in the references that are scored
  std::filesystem::path baseline = {};  // rescale with this file; "": as it is
  bool int8 = false;                    // the weights in 8 bits (models/ops/int8.h)
  int64_t max_tokens = kTokensOfThread;
  int64_t window_tokens = 65536;  // whose vectors are kept at once, and those that come again
  bool show_progress = false;
  const distributed::Ranks& ranks =
      distributed::kOneProcess;  // which share the texts, and all call score()
};

// The metric `bertscore`: F1, with precision and recall as bertscore_p and bertscore_r. With
// several references the maximum of each. A row with an empty text is 0 before rescaling; how many
// there are is a warning. Texts longer than the model are cut and counted. `model` is a name or a
// folder. Throws InputError when it is no encoder with its tokenizer, when its layer is unknown or
// out of range, for a wrong baseline, and, while scoring, for a record without a reference; Error
// when the model gives a record a score that is not finite.
//
// bert-score lets a similarity below 0 count as 0 where its batch has padding; here scores never
// depend on the batch, and equal those that it gives without padding.
std::unique_ptr<Metric<data::Answer>> make_bertscore(const std::string& model,
                                                     const BertScoreOptions& options = {});

// What bert-score ships beside its code: the layer that stands for a model, and baselines.

// The layer that bert-score 0.3.13 takes for a model of this name (its table model2layers, as far
// as models/encoders/list.h has the models' kinds): the name as published, with or without its
// owner, or a folder of that name. Nothing for other models.
std::optional<int64_t> usual_layer(const std::string& model);

// Precision, recall and F1 of texts that have nothing to do with each other.
using Baseline = std::array<double, 3>;

// The row of `layer` in a file of bert-score's rescale_baseline/: CSV with the columns LAYER, P, R
// and F. Throws InputError naming file and line when there is none or a value is not below 1.
Baseline read_baseline(const std::filesystem::path& file, int64_t layer);

}  // namespace rubric::metrics
