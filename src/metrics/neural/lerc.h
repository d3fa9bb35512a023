// LERC: an encoder and a regression layer on its first vector, that of [CLS] or <s> (Chen et al.
// 2020, section 3.1).
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
#include "models/encoders/encoder.h"

namespace rubric::metrics {

struct LercModel {
  std::unique_ptr<models::Encoder> encoder;
  models::Linear score_layer;  // weight [1, hidden], bias [1]

  // The score of every row, [rows]: ŷ = W h_[CLS] + b, neither squashed nor clipped.
  at::Tensor predict(const models::PackedTokens& tokens,
                     const models::DropoutKeys& keys = {}) const;

  // Every parameter under its published name, encoder first.
  models::Parameters parameters();
  models::NamedTensors tensors() { return models::named_tensors(parameters()); }
};

// The encoder of a model directory. The heads that this project trained on it are in `rest`.
models::LoadedEncoder open_answer_encoder(const std::filesystem::path& directory);

// A new linear layer, uniform in ±1/sqrt(hidden) as torch.nn.Linear starts; a function of the seed.
models::Linear start_head(int64_t outputs, int64_t hidden, uint64_t seed);

// A trained model. Throws InputError when the folder has no score layer or does not fit.
LercModel load_lerc(const std::filesystem::path& directory);

// An encoder under a new score layer. A head that is there already is not used.
LercModel start_lerc(const std::filesystem::path& encoder_directory, uint64_t seed);

// Models trained on human scores as metrics: LERC, and the similarity of two sentences.

// The score of every row, in the order of the rows, computed in batches of at most `max_tokens`
// tokens as predict_rows() does, which `ranks` share. After each batch `advance` is told how many
// rows it had.
std::vector<double> predict_scores(const LercModel& model, const data::TokenBatch& rows,
                                   int64_t max_tokens,
                                   const std::function<void(int64_t)>& advance = {},
                                   const distributed::Ranks& ranks = distributed::kOneProcess);

struct LercOptions {
  int64_t max_tokens = kTokensOfThread;
  bool int8 = false;  // the encoder's weights in 8 bits (models/ops/int8.h)
  bool show_progress = false;
  const distributed::Ranks& ranks =
      distributed::kOneProcess;  // which share the batches, and all call score()
};

// The metric `lerc`, or `similarity` (reference first, candidate second): that of the task which
// the model was trained for. With several references the maximum over them. Rows without a passage
// or question that the model reads are scored, with a warning of how many. Throws InputError when
// the folder is not a model trained for `task`, and, while scoring, for a record that does not fit;
// Error when the model gives a record a score that is not finite.
std::unique_ptr<Metric<data::Answer>> make_lerc(const std::string& task,
                                                const std::filesystem::path& model_directory,
                                                const LercOptions& options = {});

// The published LERC, an archive of AllenNLP, as a model directory.

// Makes the folder `output`, whole or not at all, of `archive`: a model.tar.gz with config.json and
// weights.th. Such an archive has neither the encoder's configuration nor its vocabulary: the
// authors' code is fixed to bert-base-uncased, whose folder is `encoder`. Throws InputError when
// the archive is unsafe or damaged, holds another kind of model, or does not fit the encoder.
void import_allennlp_lerc(const std::filesystem::path& archive,
                          const std::filesystem::path& encoder,
                          const std::filesystem::path& output);

}  // namespace rubric::metrics
