#include "metrics/neural/lerc_model.h"

#include <cmath>

#include "core/error.h"
#include "core/random.h"
#include "distributed/collective.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/ngram/answer_features.h"
#include "models/ops/device.h"
#include "models/ops/linear.h"
#include "models/weights/weights.h"

namespace rubric::metrics {

namespace {

// The heads of every model here from which another may start: LERC's and the pre-trained one's.
const std::vector<std::string> kHeads = {"score_layer.weight",   "score_layer.bias",
                                         "feature_layer.weight", "feature_layer.bias",
                                         "classifier.weight",    "classifier.bias"};

at::Tensor head_tensor(const models::NamedTensors& tensors, const std::string& name,
                       at::IntArrayRef shape, const std::string& where) {
  const at::Tensor* found = models::find_tensor(tensors, name);
  if (found == nullptr) {
    throw InputError(
        "the model has no score head (" + name + "): it is an encoder, not a trained LERC", where,
        "train one (rubric train --config lerc_ad.yaml --set model.name=" + where +
            ") and name its model/ folder, or score bertscore, which needs no head");
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

std::vector<double> predict_scores(const LercModel& model, const data::TokenBatch& rows,
                                   int64_t max_tokens, const std::function<void(int64_t)>& advance,
                                   const distributed::Ranks& ranks) {
  const at::Tensor scores = distributed::gather_shares(ranks, {rows.rows()}, [&](WorkShare share) {
    return predict_rows(
        rows, max_tokens, model.encoder->device(),
        [&](const models::PackedTokens& tokens) { return model.scores_of(model.logits(tokens)); },
        advance, share);
  });
  const float* values = scores.const_data_ptr<float>();
  return {values, values + rows.rows()};
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

at::Tensor LercModel::logits(const models::PackedTokens& tokens,
                             const models::DropoutKeys& keys) const {
  at::Tensor state = encoder->cls_states(tokens, keys);
  if (feature_layer.weight.defined()) {
    const at::Tensor features = models::on_device(tokens.features, state.device());
    const at::Tensor read = at::gelu(models::float_linear(features, feature_layer));
    state = at::cat({state.to(at::kFloat), read}, 1);
  }
  return models::float_linear(state, score_layer).squeeze(1);
}

at::Tensor LercModel::scores_of(const at::Tensor& logits) const {
  constexpr double kLowest = 1, kRange = 4;
  return is_bounded ? kLowest + kRange * at::sigmoid(logits) : logits;
}

models::Parameters LercModel::parameters() {
  models::Parameters all = encoder->parameters();
  if (feature_layer.weight.defined()) append(all, "feature_layer", feature_layer);
  append(all, "score_layer", score_layer);
  return all;
}

namespace {

// Throws unless the model has a feature layer where its card says so, and nowhere else.
void require_feature_layer(const models::NamedTensors& tensors, bool is_named,
                           const std::filesystem::path& directory) {
  const std::string card = (directory / "rubric.yaml").string() + ": head.features";
  for (const char* const name : {"feature_layer.weight", "feature_layer.bias"}) {
    const bool is_there = models::find_tensor(tensors, name) != nullptr;
    if (is_there == is_named) continue;
    if (is_named) {
      throw InputError(std::string("the card names features, and the model has no ") + name, card,
                       "leave head.features out if the model was trained without, or name a model "
                       "that rubric train made");
    }
    throw InputError(std::string("the model has ") + name + ", and the card names no features",
                     card, "list the features that the model was trained with, in their order");
  }
}

}  // namespace

LercModel load_lerc(const std::filesystem::path& directory) {
  const data::LercHead head = data::read_model_card(directory).head;
  require_features(head.features, (directory / "rubric.yaml").string() + ": head.features");
  models::LoadedEncoder loaded = open_answer_encoder(directory);
  const int64_t width = loaded.encoder->limits().width;
  const auto features = std::ssize(head.features);
  const std::string where = directory.string();
  require_feature_layer(loaded.rest, features > 0, directory);
  LercModel model{
      std::move(loaded.encoder),
      layer(loaded.rest, "score_layer", 1, width + (features > 0 ? kFeatureWidth : 0), where)};
  if (features > 0) {
    model.feature_layer = layer(loaded.rest, "feature_layer", kFeatureWidth, features, where);
  }
  model.is_bounded = head.bounded;
  return model;
}

LercModel start_lerc(const std::filesystem::path& encoder_directory, uint64_t seed,
                     const data::LercHead& head) {
  require_features(head.features, "head.features");
  models::LoadedEncoder loaded = open_answer_encoder(encoder_directory);
  const int64_t width = loaded.encoder->limits().width;
  const auto features = std::ssize(head.features);
  LercModel model{std::move(loaded.encoder),
                  start_head(1, width + (features > 0 ? kFeatureWidth : 0), seed)};
  // From a stream of its own: the score layer's draws come from the seed itself.
  if (features > 0) model.feature_layer = start_head(kFeatureWidth, features, mix(seed));
  model.is_bounded = head.bounded;
  return model;
}

}  // namespace rubric::metrics
