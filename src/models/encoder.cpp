#include "models/encoder.h"

#include <algorithm>

#include "core/error.h"
#include "models/weights.h"

namespace rubric {
namespace {

bool replace_end(std::string& name, std::string_view old_end, std::string_view new_end) {
  if (!name.ends_with(old_end)) return false;
  name.replace(name.size() - old_end.size(), old_end.size(), new_end);
  return true;
}

// Today's name of a tensor, without the encoder's prefix.
std::string current_name(std::string name) {
  constexpr std::string_view kPrefix = "bert.";
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  if (!replace_end(name, "LayerNorm.gamma", "LayerNorm.weight")) {
    replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
  }
  return name;
}

// Tensors of published checkpoints that no metric here uses.
bool is_unused_head(const std::string& name) {
  return name.starts_with("pooler.") || name.starts_with("cls.") ||
         name == "embeddings.position_ids";
}

}  // namespace

Encoder load_encoder(const std::filesystem::path& directory,
                     const std::vector<std::string>& heads) {
  const BertConfig config = read_bert_config(directory / "config.json");
  NamedTensors weights;
  for (auto& [name, tensor] : read_weights(directory)) {
    std::string renamed = current_name(name);
    if (!is_unused_head(renamed)) weights.emplace_back(std::move(renamed), std::move(tensor));
  }
  Bert model(config, weights, directory.string());
  std::vector<std::string> unexpected;
  for (const auto& [name, tensor] : weights) {
    if (std::find(heads.begin(), heads.end(), name) == heads.end()) unexpected.push_back(name);
  }
  if (!unexpected.empty()) {
    throw InputError(
        "the weights hold tensors that this model does not have: " + join_some(unexpected),
        directory.string());
  }
  return {std::move(model), std::move(weights)};
}

}  // namespace rubric
