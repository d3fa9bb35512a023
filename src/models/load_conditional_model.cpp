#include "models/load_conditional_model.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/json.h"
#include "models/bart.h"
#include "models/gpt2.h"
#include "models/t5.h"
#include "models/weights.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

bool has_any(const std::string& name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

// Tensors of published checkpoints that repeat another, or that the model has and never uses.
bool is_superfluous(const std::string& name) {
  return has_any(name, {"embed_tokens.weight", ".version", ".attn.bias", ".attn.masked_bias"}) ||
         name == "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight";
}

// Today's name of a tensor, whose model has `prefix` before all but the output layer.
std::string current_name(const std::string& name, const std::string& prefix) {
  const bool is_outside = name.starts_with("lm_head.") || name == "final_logits_bias";
  return is_outside || name.starts_with(prefix) ? name : prefix + name;
}

NamedTensors read_model_weights(const fs::path& directory, const std::string& prefix,
                                bool is_tied) {
  NamedTensors weights;
  for (auto& [name, tensor] : read_weights(directory)) {
    if (is_superfluous(name) || (is_tied && name == "lm_head.weight")) continue;
    weights.emplace_back(current_name(name, prefix), std::move(tensor));
  }
  return weights;
}

void require_none_left(const NamedTensors& weights, const fs::path& directory) {
  if (weights.empty()) return;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : weights) names.push_back(name);
  throw InputError("the weights hold tensors that this model does not have: " + join_some(names),
                   directory.string());
}

using Loaded = std::unique_ptr<ConditionalModel>;

template <class Model, class Config>
Loaded load(Config config, const std::string& prefix, bool is_tied, const fs::path& directory) {
  NamedTensors weights = read_model_weights(directory, prefix, is_tied);
  auto model = std::make_unique<Model>(std::move(config), weights, directory.string());
  require_none_left(weights, directory);
  return model;
}

Loaded load_t5(const fs::path& directory) {
  const T5Config config = read_t5_config(directory / "config.json");
  return load<T5>(config, "", config.tie_word_embeddings, directory);
}

Loaded load_bart(const fs::path& directory) {
  return load<Bart>(read_bart_config(directory / "config.json"), "model.", true, directory);
}

Loaded load_gpt2(const fs::path& directory) {
  const Gpt2Config config = read_gpt2_config(directory / "config.json");
  return load<Gpt2>(config, "transformer.", config.tie_word_embeddings, directory);
}

struct Entry {
  const char* model_type;
  Loaded (*load)(const fs::path& directory);
};

// Every architecture: a new one is a line here.
constexpr Entry kArchitectures[] = {
    {"t5", load_t5}, {"mt5", load_t5}, {"bart", load_bart}, {"gpt2", load_gpt2}};

}  // namespace

std::unique_ptr<ConditionalModel> load_conditional_model(const fs::path& directory) {
  const fs::path config = directory / "config.json";
  const std::string type = Json::parse_file(config).require_string("model_type", config.string());
  for (const Entry& entry : kArchitectures) {
    if (entry.model_type == type) return entry.load(directory);
  }
  std::vector<std::string> known;
  for (const Entry& entry : kArchitectures) known.push_back(json_quote(entry.model_type));
  throw InputError("the model is a " + json_quote(type) + ", which does not write text",
                   config.string(), "use one of " + join(known));
}

}  // namespace rubric
