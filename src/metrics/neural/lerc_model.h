// LERC: an encoder with a regression layer on the vector of its first token, [CLS] or <s> (Chen et
// al. 2020, section 3.1). Beyond the paper, its scores may be bounded, and a small network may read
// a trained LERC's score beside features of the words (metrics/ngram/answer_features.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/model_files/model_directory.h"
#include "data/tasks/label_scale.h"
#include "data/tokens/batches.h"
#include "distributed/ranks.h"
#include "models/encoders/encoder.h"

namespace rubric::metrics {

struct LercModel {
  std::unique_ptr<models::Encoder> encoder;
  models::Linear score_layer;  // weight [1, hidden], bias [1]
  // Of a model that reads features, else undefined: weight [kFeatureWidth, 1 + features that are
  // no rules], and weight [1, kFeatureWidth].
  models::Linear feature_layer = {}, output_layer = {};
  // The columns of the features that the network reads, and of those that make a score the lowest
  // (AnswerFeature::is_rule); both empty: it reads all.
  std::vector<int64_t> read_features = {}, rules = {};
  bool is_bounded = false;
  data::LabelScale scale = {};     // of bounded scores
  std::string config_values = {};  // the encoder's (models/config_fields.h)

  bool reads_features() const { return feature_layer.weight.defined(); }

  // What the encoder alone says of every row, [rows]: ŷ = W h_[CLS] + b.
  at::Tensor encoder_logits(const models::PackedTokens& tokens,
                            const models::DropoutKeys& keys = {}) const;

  // The model's logits, [rows], from the encoder's and the features, [rows, features]:
  // z = V gelu(F [sigmoid(ŷ); f] + c) + d, or ŷ itself without features; -30, of which the score is
  // the lowest, where a feature that is a rule is not 0.
  at::Tensor logits_of(const at::Tensor& encoder_logits, const at::Tensor& features) const;

  at::Tensor logits(const models::PackedTokens& tokens, const models::DropoutKeys& keys = {}) const;

  // The scores of logits: themselves, or if bounded low + (high - low) sigmoid(z), on the scale of
  // the labels.
  at::Tensor scores_of(const at::Tensor& logits) const;

  // Every parameter under its published name, encoder first.
  models::Parameters parameters();
  models::NamedTensors tensors() { return models::named_tensors(parameters()); }
};

inline constexpr int64_t kFeatureWidth = 32;

// Loads the encoder of a model directory; LERC's heads are in `rest`; that of pre-training is not
// read.
models::LoadedEncoder open_answer_encoder(const std::filesystem::path& directory);

// Makes a linear layer, uniform in ±1/sqrt(inputs) as torch.nn.Linear is initialised; a function of
// the seed.
models::Linear start_head(int64_t outputs, int64_t inputs, uint64_t seed);

// Loads a trained model, whose head is as its card says. Throws InputError when the directory has
// no score layer or it does not fit.
LercModel load_lerc(const std::filesystem::path& directory);

// The hash of a loaded model's weights, computed beside the caller's work (core/beside.h). It lets
// the tensors go then, as pack_weights() frees weights.
std::shared_future<std::string> hash_of_weights(LercModel& model);

// A trained model whole, to train it further; nullopt where the directory has no score layer, as an
// encoder has none.
std::optional<LercModel> find_lerc(const std::filesystem::path& directory);

// A model to train. Without features it is the encoder of a directory with a new score layer; a
// head that the directory already has is ignored. With features it is a trained LERC, with new
// layers that read its score. Throws InputError where the directory has no LERC of bounded scores.
LercModel start_lerc(const std::filesystem::path& directory, uint64_t seed,
                     const data::LercHead& head = {});

// Of every row, in the order of the rows.
struct RowScores {
  std::vector<double> scores;
  // What the encoder alone says, on the same scale; of a model that reads features, else empty.
  std::vector<double> encoder;
};

// Computed as predict_rows() does in batches of at most `max_tokens` tokens, which `ranks` share.
// Calls `advance` with the number of rows after each batch.
RowScores predict_row_scores(const LercModel& model, const data::TokenBatch& rows,
                             int64_t max_tokens, const std::function<void(int64_t)>& advance = {},
                             const distributed::Ranks& ranks = distributed::kSingleProcess);

// Their scores alone.
std::vector<double> predict_scores(const LercModel& model, const data::TokenBatch& rows,
                                   int64_t max_tokens,
                                   const std::function<void(int64_t)>& advance = {},
                                   const distributed::Ranks& ranks = distributed::kSingleProcess);

}  // namespace rubric::metrics
