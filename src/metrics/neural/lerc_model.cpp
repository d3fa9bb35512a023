#include "metrics/neural/lerc_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/beside.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/random.h"
#include "core/system/process.h"
#include "distributed/collective.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/ngram/answer_features.h"
#include "models/ops/device.h"
#include "models/ops/linear.h"
#include "models/weights/weights.h"

namespace rubric::metrics {

namespace {

// LERC's heads, which a model may have from which another starts.
const std::vector<std::string> kHeads = {"score_layer.weight",   "score_layer.bias",
                                         "feature_layer.weight", "feature_layer.bias",
                                         "output_layer.weight",  "output_layer.bias"};

at::Tensor head_tensor(const models::NamedTensors& tensors, const std::string& name,
                       at::IntArrayRef shape, const std::string& where) {
  const at::Tensor* found = models::find_tensor(tensors, name);
  if (found == nullptr) {
    throw InputError(
        "the model has no score head (" + name + "): it is an encoder, not a trained LERC", where,
        "train one (`rubric train --config lerc_ad.yaml --set " +
            shell_word("model.name=" + where) +
            "`) and name its model/ folder, name the shipped lerc-answers, or score bertscore, "
            "which needs no head");
  }
  if (found->sizes() != shape) {
    throw InputError(
        name + " has the shape " + c10::str(found->sizes()) + ", and the head needs " +
            c10::str(shape),
        where,
        "write head.features into its rubric.yaml as the model was trained with it, or "
        "name a model that rubric train made");
  }
  return found->to(at::kFloat).contiguous();
}

models::Linear layer(const models::NamedTensors& tensors, const std::string& name, int64_t outputs,
                     int64_t inputs, const std::string& where) {
  return {head_tensor(tensors, name + ".weight", {outputs, inputs}, where),
          head_tensor(tensors, name + ".bias", {outputs}, where)};
}

void append(models::Parameters& parameters, const std::string& name, const models::Linear& map) {
  parameters.push_back({name + ".weight", map.weight, /*decays=*/true});
  parameters.push_back({name + ".bias", map.bias, /*decays=*/false});
}

}  // namespace

RowScores predict_row_scores(const LercModel& model, const data::TokenBatch& rows,
                             int64_t max_tokens, const std::function<void(int64_t)>& advance,
                             const distributed::Ranks& ranks) {
  const auto predict = [&](const models::PackedTokens& tokens) {
    const at::Tensor own = model.encoder_logits(tokens);
    if (!model.reads_features()) return model.scores_of(own).unsqueeze(1);
    const at::Tensor features = models::on_device(tokens.features, own.device());
    return at::stack({model.scores_of(model.logits_of(own, features)), model.scores_of(own)}, 1);
  };
  const int64_t columns = model.reads_features() ? 2 : 1;
  const at::Tensor all =
      distributed::gather_shares(ranks, {rows.rows(), columns}, [&](WorkShare share) {
        return predict_rows(rows, max_tokens, model.encoder->device(), predict, advance, share);
      });
  const auto column = [&](int64_t index) {
    const at::Tensor values = all.select(1, index).contiguous();
    const float* const first = values.const_data_ptr<float>();
    return std::vector<double>(first, first + values.numel());
  };
  if (columns == 1) return {column(0), {}};
  return {column(0), column(1)};
}

std::vector<double> predict_scores(const LercModel& model, const data::TokenBatch& rows,
                                   int64_t max_tokens, const std::function<void(int64_t)>& advance,
                                   const distributed::Ranks& ranks) {
  return predict_row_scores(model, rows, max_tokens, advance, ranks).scores;
}

models::LoadedEncoder open_answer_encoder(const std::filesystem::path& directory) {
  return models::load_encoder(directory, kHeads);
}

models::Linear start_head(int64_t outputs, int64_t inputs, uint64_t seed) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
  std::vector<float> values;
  for (int64_t i = 0; i < outputs * (inputs + 1); ++i) {
    const double u = uniform(random_bits(seed, Purpose::initialise, static_cast<uint64_t>(i)));
    values.push_back(static_cast<float>(bound * (2 * u - 1)));
  }
  const at::Tensor all = at::tensor(at::ArrayRef<float>(values));
  return {all.narrow(0, 0, outputs * inputs).view({outputs, inputs}).clone(),
          all.narrow(0, outputs * inputs, outputs).clone()};
}

at::Tensor LercModel::encoder_logits(const models::PackedTokens& tokens,
                                     const models::DropoutKeys& keys) const {
  return models::float_linear(encoder->cls_states(tokens, keys), score_layer).squeeze(1);
}

at::Tensor LercModel::logits_of(const at::Tensor& encoder_logits,
                                const at::Tensor& features) const {
  if (!reads_features()) return encoder_logits;
  const at::Tensor read =
      rules.empty()
          ? features
          : features.index_select(1, models::index_tensor(read_features, features.device()));
  const at::Tensor known = at::cat({at::sigmoid(encoder_logits).unsqueeze(1), read}, 1);
  const at::Tensor hidden = at::gelu(models::float_linear(known, feature_layer));
  at::Tensor logits = models::float_linear(hidden, output_layer).squeeze(1);
  constexpr double kLowestLogit = -30;
  for (const int64_t rule : rules) {
    logits = logits.masked_fill(features.select(1, rule) != 0, kLowestLogit);
  }
  return logits;
}

at::Tensor LercModel::logits(const models::PackedTokens& tokens,
                             const models::DropoutKeys& keys) const {
  const at::Tensor own = encoder_logits(tokens, keys);
  if (!reads_features()) return own;
  return logits_of(own, models::on_device(tokens.features, own.device()));
}

at::Tensor LercModel::scores_of(const at::Tensor& logits) const {
  return is_bounded ? scale.low + (scale.high - scale.low) * at::sigmoid(logits) : logits;
}

models::Parameters LercModel::parameters() {
  models::Parameters all = encoder->parameters();
  append(all, "score_layer", score_layer);
  if (reads_features()) {
    append(all, "feature_layer", feature_layer);
    append(all, "output_layer", output_layer);
  }
  return all;
}

namespace {

// Throws unless the model has the layers that read features where its card says so, and nowhere
// else.
void require_feature_layers(const models::NamedTensors& tensors, bool is_named,
                            const std::filesystem::path& directory) {
  const std::string card = (directory / "rubric.yaml").string() + ": head.features";
  for (const char* const name :
       {"feature_layer.weight", "feature_layer.bias", "output_layer.weight", "output_layer.bias"}) {
    const bool is_there = models::find_tensor(tensors, name) != nullptr;
    if (is_there == is_named) continue;
    if (is_named) {
      throw InputError(std::string("the card names features, and the model has no ") + name, card,
                       "leave head.features out if the model was trained without, or name a model "
                       "that rubric train made");
    }
    if (!rubric::is_there(directory / "rubric.yaml", "make the folder readable")) {
      throw InputError("the model reads features, and its card rubric.yaml is missing",
                       directory.string(), "copy the card, too, from where the model was trained");
    }
    throw InputError(std::string("the model has ") + name + ", and the card names no features",
                     card, "list the features that the model was trained with, in their order");
  }
}

// Parts the features into those that the network reads and rules; returns the number of the former.
int64_t part_features(const data::LercHead& head, LercModel& model) {
  const auto features = require_features(head.features, "head.features");
  for (int64_t i = 0; i < std::ssize(features); ++i) {
    (features[static_cast<size_t>(i)]->is_rule ? model.rules : model.read_features).push_back(i);
  }
  return std::ssize(model.read_features);
}

models::Linear score_layer_of(const models::LoadedEncoder& loaded, const std::string& where) {
  return layer(loaded.rest, "score_layer", 1, loaded.encoder->limits().width, where);
}

// Throws unless the trained LERC's scores are bounded, as those of the head that reads them are.
void require_bounded_card(const std::filesystem::path& directory) {
  if (data::read_model_card(directory).head.bounded) return;
  throw InputError(
      "head.features are read beside the bounded score of a trained LERC, and the "
      "scores of this model are not bounded",
      directory.string(), "train it with head.bounded: true and without head.features first");
}

LercModel lerc_of(models::LoadedEncoder loaded, const std::filesystem::path& directory) {
  const data::ModelCard card = data::read_model_card(directory);
  const data::LercHead& head = card.head;
  const std::string card_file = (directory / "rubric.yaml").string();
  require_features(head.features, card_file + ": head.features");
  if (!head.features.empty()) {
    require_features_version(card.features_version, card_file + ": features_version");
  }
  const std::string where = directory.string();
  const auto features = std::ssize(head.features);
  require_feature_layers(loaded.rest, features > 0, directory);
  models::Linear score_layer = score_layer_of(loaded, where);
  LercModel model{.encoder = std::move(loaded.encoder),
                  .score_layer = std::move(score_layer),
                  .is_bounded = head.bounded,
                  .config_values = std::move(loaded.config_values)};
  if (!card.scale.empty()) {
    model.scale = data::parse_label_scale(card.scale, card_file + ": scale");
  }
  if (features > 0) {
    const int64_t inputs = 1 + part_features(head, model);
    model.feature_layer = layer(loaded.rest, "feature_layer", kFeatureWidth, inputs, where);
    model.output_layer = layer(loaded.rest, "output_layer", 1, kFeatureWidth, where);
  }
  return model;
}

}  // namespace

LercModel load_lerc(const std::filesystem::path& directory) {
  return lerc_of(open_answer_encoder(directory), directory);
}

std::optional<LercModel> find_lerc(const std::filesystem::path& directory) {
  models::LoadedEncoder loaded = open_answer_encoder(directory);
  if (models::find_tensor(loaded.rest, "score_layer.weight") == nullptr) return std::nullopt;
  return lerc_of(std::move(loaded), directory);
}

std::shared_future<std::string> hash_of_weights(LercModel& model) {
  return beside([tensors = model.tensors()]() mutable {
    return models::fingerprint(std::exchange(tensors, {}));
  });
}

LercModel start_lerc(const std::filesystem::path& directory, uint64_t seed,
                     const data::LercHead& head) {
  require_features(head.features, "head.features");
  models::LoadedEncoder loaded = open_answer_encoder(directory);
  const auto features = std::ssize(head.features);
  LercModel model{.encoder = nullptr, .score_layer = {}, .is_bounded = head.bounded};
  if (features == 0) {
    model.score_layer = start_head(1, loaded.encoder->limits().width, seed);
  } else {
    require_bounded_card(directory);
    model.score_layer = score_layer_of(loaded, directory.string());
    model.feature_layer = start_head(kFeatureWidth, 1 + part_features(head, model), seed);
    model.output_layer = start_head(1, kFeatureWidth, mix(seed));  // a stream of its own
  }
  model.encoder = std::move(loaded.encoder);
  return model;
}

}  // namespace rubric::metrics
