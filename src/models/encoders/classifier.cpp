#include "models/encoders/classifier.h"

#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "models/config_fields.h"
#include "models/ops/device.h"
#include "models/ops/layers.h"

namespace rubric::models {
namespace {

at::Tensor head_tensor(const LoadedEncoder& loaded, const std::string& name,
                       const std::string& where) {
  if (const at::Tensor* const found = find_tensor(loaded.rest, name)) {
    return found->to(at::kFloat).contiguous();
  }
  throw InputError("the model has no " + name + ": it is an encoder without this head", where,
                   "use a model that was fine-tuned for sequence classification");
}

at::Tensor optional_tensor(const LoadedEncoder& loaded, const std::string& name) {
  const at::Tensor* const found = find_tensor(loaded.rest, name);
  return found == nullptr ? at::Tensor() : found->to(at::kFloat).contiguous();
}

// The names of the classes by their index; empty where config.json has none.
std::vector<std::string> classes_of(const std::filesystem::path& directory) {
  const Json config = Json::parse_file(directory / "config.json");
  const Json* const labels = config.find("id2label");
  if (labels == nullptr || !labels->is_object()) return {};
  std::vector<std::string> classes(labels->object().size());
  for (const auto& [id, label] : labels->object()) {
    const std::optional<int64_t> index = parse_count(id);
    if (!index || *index >= std::ssize(classes) || !label.is_string()) return {};
    classes[static_cast<size_t>(*index)] = label.string();
  }
  return classes;
}

void require_shapes(const Classifier& model, const std::string& where) {
  const auto fits = [](const at::Tensor& weight, const at::Tensor& bias, int64_t inputs) {
    return weight.dim() == 2 && weight.size(1) == inputs &&
           (!bias.defined() || (bias.dim() == 1 && bias.size(0) == weight.size(0)));
  };
  const int64_t width = model.encoder->limits().width;
  const bool is_first = fits(model.dense.weight, model.dense.bias, width);
  const int64_t inner = is_first ? model.dense.weight.size(0) : 0;
  const auto fits_norm = [&](const at::Tensor& part) {
    return !part.defined() || (part.dim() == 1 && part.size(0) == inner);
  };
  if (is_first && fits(model.output.weight, model.output.bias, inner) &&
      model.output.weight.size(0) > 0 && fits_norm(model.norm.weight) &&
      fits_norm(model.norm.bias)) {
    return;
  }
  throw InputError("the layers of the head do not fit the encoder's " + std::to_string(width) +
                       " numbers for a token",
                   where, "fetch the model again");
}

}  // namespace

at::Tensor row_means(const at::Tensor& states, const Offsets& offsets) {
  std::vector<at::Tensor> means;
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    means.push_back(states.slice(0, offsets[row], offsets[row + 1]).mean(0));
  }
  return at::stack(means);
}

at::Tensor Classifier::logits(const PackedTokens& tokens) const {
  const at::Tensor states =
      pools_mean
          ? row_means(encoder->states_cut_behind(tokens, encoder->limits().layers), tokens.offsets)
          : encoder->cls_states(tokens, {});
  at::Tensor x = float_linear(states, dense);
  x = activation == "tanh" ? x.tanh() : models::activation(x, activation);
  if (norm.weight.defined()) x = layer_norm(x, norm, norm_epsilon);
  return float_linear(x, output);
}

NamedTensors Classifier::tensors() {
  NamedTensors all = encoder->tensors();
  for (const auto& [name, tensor] : {std::pair{"head.dense.weight", dense.weight},
                                     {"head.dense.bias", dense.bias},
                                     {"head.norm.weight", norm.weight},
                                     {"head.norm.bias", norm.bias},
                                     {"head.output.weight", output.weight},
                                     {"head.output.bias", output.bias}}) {
    if (tensor.defined()) all.emplace_back(name, tensor);
  }
  return all;
}

Classifier load_classifier(const std::filesystem::path& directory, const std::string& layer) {
  ConfigFields fields(directory);
  const EncoderKind& kind = *read_encoder_config(directory).kind;
  const ClassifierLayers layers = layer.empty() ? kind.classifier : ClassifierLayers();
  const std::string dense(layers.dense), norm(layers.norm);
  const std::string output = layer.empty() ? std::string(layers.output) : layer;
  std::vector<std::string> names;
  for (const std::string& name : {dense, norm, output}) {
    if (name.empty()) continue;
    names.push_back(name + ".weight");
    names.push_back(name + ".bias");
  }
  LoadedEncoder loaded = load_encoder(directory, names);
  const std::string where = directory.string();
  Classifier model;
  // ModernBERT's biases are as its configuration says.
  const auto bias = [&](const std::string& name) {
    return norm.empty() ? head_tensor(loaded, name, where) : optional_tensor(loaded, name);
  };
  model.dense = {head_tensor(loaded, dense + ".weight", where), bias(dense + ".bias")};
  model.output = {head_tensor(loaded, output + ".weight", where),
                  head_tensor(loaded, output + ".bias", where)};
  if (!norm.empty()) {
    model.norm = {head_tensor(loaded, norm + ".weight", where),
                  optional_tensor(loaded, norm + ".bias")};
    model.norm_epsilon = fields.positive("norm_eps", 1e-5);
  }
  model.activation = layers.activation;
  if (layers.activation_key != nullptr) {
    model.activation =
        fields.choice(layers.activation_key, model.activation.c_str(),
                      {"gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu", "tanh"});
  }
  if (!norm.empty()) {
    model.pools_mean = fields.choice("classifier_pooling", "cls", {"cls", "mean"}) == "mean";
  }
  model.classes = classes_of(directory);
  model.config_values = loaded.config_values + fields.values() + layer;
  model.encoder = std::move(loaded.encoder);
  require_shapes(model, where);
  return model;
}

}  // namespace rubric::models
