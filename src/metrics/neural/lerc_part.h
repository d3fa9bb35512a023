// Models trained on human scores as metrics: LERC, and the similarity of two sentences.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/tokens/batches.h"
#include "distributed/ranks.h"
#include "metrics/metric.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/lerc.h"

namespace rubric {

// The score of every row, in the order of the rows, computed in batches of at most `max_tokens`
// tokens as predict_rows() does, which `ranks` share. After each batch `advance` is told how many
// rows it had.
std::vector<double> predict_scores(const LercModel& model, const TokenBatch& rows,
                                   int64_t max_tokens,
                                   const std::function<void(int64_t)>& advance = {},
                                   const Ranks& ranks = kOneProcess);

struct LercOptions {
  int64_t max_tokens = kTokensOfThread;
  bool int8 = false;  // the encoder's weights in 8 bits (models/int8.h)
  bool show_progress = false;
  const Ranks& ranks = kOneProcess;  // which share the batches, and all call score()
};

// The metric `lerc`, or `similarity` (reference first, candidate second): that of the task which
// the model was trained for. With several references the maximum over them. Rows without a passage
// or question that the model reads are scored, with a warning of how many. Throws InputError when
// the folder is not a model trained for `task`, and, while scoring, for a record that does not fit;
// Error when the model gives a record a score that is not finite.
std::unique_ptr<Metric<Answer>> make_lerc(const std::string& task,
                                          const std::filesystem::path& model_directory,
                                          const LercOptions& options = {});

}  // namespace rubric
