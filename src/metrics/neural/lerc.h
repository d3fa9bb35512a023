// The metrics `lerc` and `similarity`: models trained on human scores
// (metrics/neural/lerc_model.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "data/records.h"
#include "distributed/ranks.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/lerc_kind.h"
#include "metrics/neural/model_use.h"

namespace rubric::metrics {

struct LercOptions {
  int64_t max_tokens = kTokensPerThread;  // only tests set another
  bool int8 = false;                      // the encoder's weights in 8 bits (models/ops/linear.h)
  bool verdict = false;  // adds the field "verdict": right, or wrong below the card's threshold
  bool explain = false;  // adds the field "explanation" (metrics/neural/lerc_explanation.h)
  bool show_progress = false;
  // Share the batches; all call score().
  const distributed::Ranks& ranks = distributed::kSingleProcess;
};

// The metric `lerc`, or `similarity` (reference first, candidate second): the one for the task that
// the model was trained for. With several references the maximum over them. Rows with missing
// inputs (a passage or question that the model reads) are scored, and a warning counts them. Throws
// InputError when the directory is not a model trained for `task`, for verdicts of one without a
// threshold and, while scoring, for a record that does not fit; Error when a score is not finite.
std::unique_ptr<AnswerMetric> make_lerc(const std::string& task,
                                        const std::filesystem::path& model_directory,
                                        const LercOptions& options = {});

}  // namespace rubric::metrics
