#include "models/sequence_model.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "data/model_files/list.h"
#include "models/architecture.h"
#include "models/config_fields.h"
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

// Reads a model directory's tensors under their current names; those tied to the embedding become
// one tensor, whichever of their names the file has.
NamedTensors read_model_weights(const fs::path& directory, const SequenceModelFactory& factory) {
  NamedTensors weights, tied;
  for (auto& [name, tensor] : read_weights(directory)) {
    if (is_superfluous(name)) continue;
    if (name.ends_with("embed_tokens.weight") || (factory.is_tied && name == "lm_head.weight")) {
      tied.emplace_back(factory.embedding, std::move(tensor));
    } else {
      weights.emplace_back(current_sequence_model_name(name, factory.prefix), std::move(tensor));
    }
  }
  if (!tied.empty() && find_tensor(weights, factory.embedding) == nullptr) {
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

using ReadSequenceModel = SequenceModelFactory (*)(ConfigFields& fields);

template <size_t... kIndex>
constexpr std::array<ReadSequenceModel, sizeof...(kIndex)> readers(std::index_sequence<kIndex...>) {
  return {read_sequence_model<*data::kSequenceKinds[kIndex]>...};
}

// That of each kind, in the order of the list.
constexpr auto kReaders = readers(std::make_index_sequence<std::size(data::kSequenceKinds)>());

}  // namespace

SequenceModelFactory read_sequence_config(const fs::path& directory) {
  ConfigFields fields(directory);
  const data::SequenceKind& kind = data::require_sequence_kind(fields.model_type(), fields.where());
  const auto index = std::ranges::find(data::kSequenceKinds, &kind) - data::kSequenceKinds;
  SequenceModelFactory factory = kReaders[static_cast<size_t>(index)](fields);
  factory.config_values = fields.values();
  return factory;
}

Linear SequenceModel::output() const {
  return is_packed(packed_output_) ? packed_output_ : output_layer();
}

void SequenceModel::pack_weights(Packing packing) {
  pack_layers(packing);
  packed_output_ = output();
  pack_weight(packed_output_, packing);
  if (at::Tensor* const weight = untied_output()) *weight = packed_output_.weight;
}

NamedTensors SequenceModel::tensors() {
  NamedTensors all = named_tensors(slots());
  for (auto& buffer : buffers()) all.push_back(std::move(buffer));
  return all;
}

std::unique_ptr<SequenceModel> load_sequence_model(const fs::path& directory) {
  return load_sequence_model(directory, read_sequence_config(directory));
}

std::unique_ptr<SequenceModel> load_sequence_model(const fs::path& directory,
                                                   const SequenceModelFactory& factory) {
  NamedTensors weights = read_model_weights(directory, factory);
  std::unique_ptr<SequenceModel> model = factory.make(
      [&](const ParameterSlots& slots) { take_parameters(slots, weights, directory.string()); });
  require_none_left(weights, directory);
  return model;
}

std::unique_ptr<SequenceModel> new_sequence_model(const fs::path& directory, uint64_t seed) {
  return new_sequence_model(directory, seed, read_sequence_config(directory));
}

std::unique_ptr<SequenceModel> new_sequence_model(const fs::path& directory, uint64_t seed,
                                                  const SequenceModelFactory& factory) {
  return factory.make([&](const ParameterSlots& slots) {
    require_possible(slots, directory);
    initialize_parameters(slots, seed, factory.deviation);
    for (const ParameterSlot& slot : slots) {
      const bool has_padding = factory.padding_row >= 0;
      if (has_padding && slot.name == factory.embedding) {
        slot.tensor->select(0, factory.padding_row).zero_();
      }
    }
  });
}

}  // namespace rubric::models
