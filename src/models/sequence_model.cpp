#include "models/sequence_model.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/list_table.h"
#include "data/model_files/list.h"
#include "models/architecture.h"
#include "models/config_fields.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

namespace fs = std::filesystem;

// The output layer stands outside of the prefix of all other names.
bool is_output(const std::string& name) {
  return name.starts_with("lm_head.") || name == "final_logits_bias";
}

// Files of before transformers 4 have no prefix at all; those of T5 as a classifier have one.
std::string current_sequence_model_name(std::string name, const std::string& prefix,
                                        bool has_prefix) {
  constexpr std::string_view kOfT5 = "transformer.";
  if (prefix.empty() && name.starts_with(kOfT5)) return name.substr(kOfT5.size());
  return has_prefix || is_output(name) ? name : prefix + name;
}

bool is_embedding_of_a_stack(std::string_view name, const std::string& prefix) {
  return name == prefix + "encoder.embed_tokens.weight" ||
         name == prefix + "decoder.embed_tokens.weight";
}

// T5 has it, and never uses it: only its first self-attention has such a bias.
constexpr const char* kUnusedOfT5 =
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight";

// Tensors that config.json ties are one, whichever of their names the file has.
void put_tied(NamedTensors& tied, const SequenceModelFactory& factory, NamedTensors& tensors,
              const fs::path& directory) {
  if (tied.empty()) return;
  const std::string& embedding = factory.embedding;
  if (find_tensor(tensors, embedding) == nullptr) {
    tensors.emplace_back(embedding, tied.front().second);
  }
  const at::Tensor& kept = *find_tensor(tensors, embedding);
  for (const auto& [name, tensor] : tied) {
    if (tensor.sizes() == kept.sizes() && at::equal(tensor.to(kept.scalar_type()), kept)) continue;
    throw InputError(name + " differs from " + embedding + ", and config.json makes them one",
                     directory.string(),
                     name == "lm_head.weight" && !factory.is_always_tied
                         ? "use the config.json that belongs to the weights: with "
                           "tie_word_embeddings false where the output layer has its own weights"
                         : "use a model in which the two are one");
  }
}

// A file's tensors under their current names.
struct ModelWeights {
  NamedTensors tensors;
  bool has_prefix;  // in the file; else it was put before all names but the output layer's
  BlockMatrices stored;
};

ModelWeights read_model_weights(const fs::path& directory, const SequenceModelFactory& factory) {
  NamedTensors weights, tied;
  BlockMatrices stored;
  NamedTensors all = read_weights(directory, &stored);
  // Also behind the prefix of a wrapper, which is then named.
  const bool has_prefix = std::ranges::any_of(all, [&](const auto& each) {
    return each.first.starts_with(factory.prefix) ||
           each.first.find("." + factory.prefix) != std::string::npos;
  });
  for (auto& [published, tensor] : all) {
    const std::string name = current_sequence_model_name(published, factory.prefix, has_prefix);
    if (name == kUnusedOfT5) continue;
    if (is_embedding_of_a_stack(name, factory.prefix) ||
        (factory.is_tied && name == "lm_head.weight")) {
      tied.emplace_back(name, std::move(tensor));
    } else {
      weights.emplace_back(name, std::move(tensor));
    }
  }
  put_tied(tied, factory, weights, directory);
  return {std::move(weights), has_prefix && !factory.prefix.empty(), std::move(stored)};
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

constexpr auto kReaders = table_of<data::kSequenceKinds>(
    []<const data::SequenceKind & kind>() { return read_sequence_model<kind>; });

}  // namespace

SequenceModelFactory read_sequence_config(const fs::path& directory) {
  ConfigFields fields(directory);
  const data::SequenceKind& kind = data::require_sequence_kind(fields.model_type(), fields.where());
  SequenceModelFactory factory = entry_of<data::kSequenceKinds>(kReaders, kind)(fields);
  factory.config_values = fields.values();
  return factory;
}

Linear SequenceModel::output() const {
  return is_packed(packed_output_) ? packed_output_ : output_layer();
}

void SequenceModel::pack_weights(Packing packing) {
  if (packing == Packing::int8 && has_outliers()) packing = Packing::int8_with_rests;
  packed_output_ = output();
  if (packing == Packing::stored) {
    for (const ParameterSlot& slot : slots()) {
      const auto found = stored_.find(slot.name);
      Linear* const map = slot.tensor->is_same(packed_output_.weight) ? &packed_output_ : slot.map;
      if (found == stored_.end() || map == nullptr) continue;
      *map = {{}, map->bias, {}, pack_blocks(found->second)};
    }
  }
  stored_.clear();
  pack_layers(packing);
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
  ModelWeights weights = read_model_weights(directory, factory);
  std::set<std::string> modules;  // the first parts of names behind the prefix
  const auto module = [&](const std::string& name) {
    return module_of(name.substr(factory.prefix.size()));
  };
  std::unique_ptr<SequenceModel> model = factory.make([&](const ParameterSlots& slots) {
    take_parameters(slots, weights.tensors, directory.string());
    for (const ParameterSlot& slot : slots) {
      if (slot.name.starts_with(factory.prefix)) modules.insert(module(slot.name));
    }
  });
  const auto is_inside = [&](const std::string& name) {
    if (is_output(name)) return true;
    return name.starts_with(factory.prefix) &&
           (weights.has_prefix || modules.contains(module(name)));
  };
  // What is outside gets back its name in the file.
  for (auto& [name, tensor] : weights.tensors) {
    if (!weights.has_prefix && !is_inside(name)) name.erase(0, factory.prefix.size());
  }
  leave_out_rest(weights.tensors, is_inside, directory.string());
  model->keep(std::move(weights.stored));
  return model;
}

std::unique_ptr<SequenceModel> new_sequence_model(const fs::path& directory, uint64_t seed) {
  return new_sequence_model(directory, seed, read_sequence_config(directory));
}

std::unique_ptr<SequenceModel> new_sequence_model(const fs::path& directory, uint64_t seed,
                                                  const SequenceModelFactory& factory) {
  return factory.make([&](const ParameterSlots& slots) {
    require_possible(slots, directory);
    initialize_parameters(slots, seed, factory.standard_deviation);
    for (const ParameterSlot& slot : slots) {
      const bool has_padding = factory.padding_row >= 0;
      if (has_padding && slot.name == factory.embedding) {
        slot.tensor->select(0, factory.padding_row).zero_();
      }
    }
  });
}

}  // namespace rubric::models
