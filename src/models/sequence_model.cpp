#include "models/sequence_model.h"

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "core/json/json.h"
#include "models/causal/gpt2.h"
#include "models/initial_weights.h"
#include "models/seq2seq/bart.h"
#include "models/seq2seq/t5.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

namespace fs = std::filesystem;

bool has_any(const std::string& name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

// Tensors of published checkpoints that a model has but never uses.
bool is_superfluous(const std::string& name) {
  return has_any(name, {".version", ".attn.bias", ".attn.masked_bias"}) ||
         name == "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight";
}

// The current name of a tensor of a model with `prefix` before all names but the output layer's.
std::string current_sequence_model_name(const std::string& name, const std::string& prefix) {
  const bool is_outside = name.starts_with("lm_head.") || name == "final_logits_bias";
  return is_outside || name.starts_with(prefix) ? name : prefix + name;
}

using Made = std::unique_ptr<SequenceModel>;

// An architecture as config.json describes it.
struct Architecture {
  int64_t vocabulary;
  std::string prefix;     // of all weights' names but the output layer's
  std::string embedding;  // the name of the token embedding
  bool is_tied;           // the output layer is the embedding
  int64_t padding_row;    // zero in a new embedding; -1: none
  std::function<double(const std::string& name)> deviation;  // of new weights
  std::function<Made(const ParameterLoader& load)> make;
};

// Reads a model directory's tensors under their current names; those tied to the embedding become
// one tensor, whichever of their names the file has.
NamedTensors read_model_weights(const fs::path& directory, const Architecture& architecture) {
  NamedTensors weights, tied;
  for (auto& [name, tensor] : read_weights(directory)) {
    if (is_superfluous(name)) continue;
    if (name.ends_with("embed_tokens.weight") ||
        (architecture.is_tied && name == "lm_head.weight")) {
      tied.emplace_back(architecture.embedding, std::move(tensor));
    } else {
      weights.emplace_back(current_sequence_model_name(name, architecture.prefix),
                           std::move(tensor));
    }
  }
  if (!tied.empty() && find_tensor(weights, architecture.embedding) == nullptr) {
    weights.push_back(std::move(tied.front()));
  }
  return weights;
}

void require_none_left(const NamedTensors& weights, const fs::path& directory) {
  if (weights.empty()) return;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : weights) names.push_back(name);
  throw InputError("the weights hold tensors that this model does not have: " + join_some(names),
                   directory.string(),
                   "use the config.json and the weights that were published together");
}

// Refuses sizes that fit no machine before memory is allocated.
void require_possible(const ParameterSlots& slots, const fs::path& directory) {
  constexpr double kMostNumbers = 1e11;
  double numbers = 0;
  for (const ParameterSlot& slot : slots) {
    double of_slot = 1;
    for (const int64_t size : slot.shape) of_slot *= static_cast<double>(size);
    numbers += of_slot;
  }
  if (numbers <= kMostNumbers) return;
  throw InputError("a model of these sizes has more than 100 billion numbers",
                   (directory / "config.json").string(), "use smaller sizes");
}

Architecture t5(const fs::path& config_json) {
  const T5Config config = read_t5_config(config_json);
  return {config.vocab_size,
          "",
          "shared.weight",
          config.tie_word_embeddings,
          -1,
          [config](const std::string& name) { return t5_deviation(config, name); },
          [config](const ParameterLoader& load) { return std::make_unique<T5>(config, load); }};
}

Architecture bart(const fs::path& config_json) {
  const BartConfig config = read_bart_config(config_json);
  return {config.vocab_size,
          "model.",
          "model.shared.weight",
          true,
          config.pad_token_id,
          [config](const std::string&) { return config.init_std; },
          [config](const ParameterLoader& load) { return std::make_unique<Bart>(config, load); }};
}

Architecture gpt2(const fs::path& config_json) {
  const Gpt2Config config = read_gpt2_config(config_json);
  return {config.vocab_size,
          "transformer.",
          "transformer.wte.weight",
          config.tie_word_embeddings,
          -1,
          [config](const std::string& name) { return gpt2_deviation(config, name); },
          [config](const ParameterLoader& load) { return std::make_unique<Gpt2>(config, load); }};
}

struct ArchitectureEntry {
  const char* model_type;
  Architecture (*read)(const fs::path& config_json);
};

// Every architecture: a new one is a line here.
constexpr ArchitectureEntry kArchitectures[] = {
    {"t5", t5}, {"mt5", t5}, {"bart", bart}, {"gpt2", gpt2}};

Architecture read_architecture(const fs::path& directory) {
  const fs::path config = directory / "config.json";
  const std::string type = Json::parse_file(config).require_string("model_type", config.string());
  std::vector<std::string> known;
  for (const ArchitectureEntry& entry : kArchitectures) {
    if (entry.model_type == type) return entry.read(config);
    known.push_back(json_quote(entry.model_type));
  }
  throw InputError(
      "the model is a " + json_quote(type) + ", which is not one of the supported models",
      config.string(), "use one of " + join(known));
}

}  // namespace

NamedTensors SequenceModel::tensors() {
  NamedTensors all = named_tensors(slots());
  for (auto& buffer : buffers()) all.push_back(std::move(buffer));
  return all;
}

int64_t configured_vocabulary_size(const fs::path& directory) {
  return read_architecture(directory).vocabulary;
}

std::unique_ptr<SequenceModel> load_sequence_model(const fs::path& directory) {
  const Architecture architecture = read_architecture(directory);
  NamedTensors weights = read_model_weights(directory, architecture);
  Made model = architecture.make(
      [&](const ParameterSlots& slots) { take_parameters(slots, weights, directory.string()); });
  require_none_left(weights, directory);
  return model;
}

std::unique_ptr<SequenceModel> new_sequence_model(const fs::path& directory, uint64_t seed) {
  const Architecture architecture = read_architecture(directory);
  return architecture.make([&](const ParameterSlots& slots) {
    require_possible(slots, directory);
    initialize_parameters(slots, seed, architecture.deviation);
    for (const ParameterSlot& slot : slots) {
      const bool has_padding = architecture.padding_row >= 0;
      if (has_padding && slot.name == architecture.embedding) {
        slot.tensor->select(0, architecture.padding_row).zero_();
      }
    }
  });
}

}  // namespace rubric::models
