// LERC: an encoder with a regression layer on the vector of its first token,
// [CLS] or <s> (Chen et al. 2020, section 3.1). The model, and the metrics `lerc` and `similarity`.
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
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/lerc_kind.h"
#include "metrics/neural/model_use.h"
#include "models/encoders/encoder.h"

namespace rubric::metrics {

struct LercModel {
  std::unique_ptr<models::Encoder> encoder;
  models::Linear score_layer;  // weight [1, hidden], bias [1]

  // The score of every row, [rows]: ŷ = W h_[CLS] + b, without squashing or clipping.
  at::Tensor predict(const models::PackedTokens& tokens,
                     const models::DropoutKeys& keys = {}) const;

  // Every parameter under its published name, encoder first.
  models::Parameters parameters();
  models::NamedTensors tensors() { return models::named_tensors(parameters()); }
};

// Loads the encoder of a model directory; heads that this project trained on it are in `rest`.
models::LoadedEncoder open_answer_encoder(const std::filesystem::path& directory);

// Makes a linear layer, uniform in ±1/sqrt(hidden) as torch.nn.Linear is initialised; a function of
// the seed.
models::Linear start_head(int64_t outputs, int64_t hidden, uint64_t seed);

// Loads a trained model. Throws InputError when the directory has no score layer or it does not
// fit.
LercModel load_lerc(const std::filesystem::path& directory);

// Puts a new score layer on an encoder. A head that the directory already has is ignored.
LercModel start_lerc(const std::filesystem::path& encoder_directory, uint64_t seed);

// The metrics: models trained on human scores.

// The score of every row, in the order of the rows, computed as predict_rows() does in batches of
// at most `max_tokens` tokens, which `ranks` share. Calls `advance` with the number of rows after
// each batch.
std::vector<double> predict_scores(const LercModel& model, const data::TokenBatch& rows,
                                   int64_t max_tokens,
                                   const std::function<void(int64_t)>& advance = {},
                                   const distributed::Ranks& ranks = distributed::kSingleProcess);

struct LercOptions {
  int64_t max_tokens = kTokensPerThread;
  bool int8 = false;  // the encoder's weights in 8 bits (models/ops/linear.h)
  bool show_progress = false;
  // Share the batches; all call score().
  const distributed::Ranks& ranks = distributed::kSingleProcess;
};

// The metric `lerc`, or `similarity` (reference first, candidate second): the one for the task that
// the model was trained for. With several references the maximum over them. Rows with missing
// inputs (a passage or question that the model reads) are scored, and a warning counts them. Throws
// InputError when the directory is not a model trained for `task` and, while scoring, for a record
// that does not fit; Error when a score is not finite.
std::unique_ptr<AnswerMetric> make_lerc(const std::string& task,
                                        const std::filesystem::path& model_directory,
                                        const LercOptions& options = {});

}  // namespace rubric::metrics
