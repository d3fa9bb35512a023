#include "models/encoders/encoder.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/list_table.h"
#include "models/config_fields.h"
#include "models/encoders/list.h"
#include "models/ops/device.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

constexpr auto kReaders =
    table_of<kEncoders>([]<const EncoderKind & kind>() { return read_encoder<kind>; });

bool replace_end(std::string& name, std::string_view old_end, std::string_view new_end) {
  if (!name.ends_with(old_end)) return false;
  name.replace(name.size() - old_end.size(), old_end.size(), new_end);
  return true;
}

// What stands before the names of the model's tensors in the file, by its word embeddings: the
// kind's prefix, else nothing, else another kind's, as a model that was trained further under
// another model_type may have kept that of the one that it started from. A tensor left over from
// another model has a prefix, too.
std::string own_prefix(const NamedTensors& tensors, const EncoderKind& kind) {
  std::vector<std::string> prefixes = {std::string(kind.prefix), ""};
  for (const EncoderKind* const other : kEncoders) prefixes.emplace_back(other->prefix);
  const auto found = std::ranges::find_if(prefixes, [&](const std::string& prefix) {
    return find_tensor(tensors, prefix + std::string(kind.word_embeddings)) != nullptr;
  });
  return found == prefixes.end() ? "" : *found;
}

// Today's name of a tensor without prefix.
std::string current_encoder_name(std::string name) {
  if (!replace_end(name, "LayerNorm.gamma", "LayerNorm.weight")) {
    replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
  }
  return name;
}

// The heads of pre-training, which most published encoders have: nothing is said of them.
bool is_of_pretraining(const std::string& name, const EncoderKind& kind) {
  const auto begins = [&](std::string_view head) { return name.starts_with(head); };
  return begins("cls.") || begins("lm_head.") ||
         std::ranges::any_of(kind.pretraining_heads, begins);
}

}  // namespace

PackedTokens pack(const data::TokenBatch& rows) {
  PackedTokens packed{index_tensor(rows.ids), index_tensor(rows.segments), rows.offsets, {}};
  if (!rows.features.empty()) {
    packed.features = at::tensor(at::ArrayRef<float>(rows.features)).view({packed.rows(), -1});
  }
  return packed;
}

EncoderFactory read_encoder_config(const std::filesystem::path& directory) {
  ConfigFields fields(directory);
  const EncoderKind& kind = require_encoder(fields.model_type(), fields.where());
  EncoderFactory factory = entry_of<kEncoders>(kReaders, kind)(fields);
  factory.config_values = fields.values();
  factory.kind = &kind;
  return factory;
}

LoadedEncoder load_encoder(const std::filesystem::path& directory,
                           const std::vector<std::string>& heads) {
  EncoderFactory configured = read_encoder_config(directory);
  NamedTensors all = read_weights(directory), weights, outside;
  const std::string prefix = own_prefix(all, *configured.kind);
  for (auto& [name, tensor] : all) {
    const bool is_outside = !name.starts_with(prefix);
    std::string renamed = current_encoder_name(is_outside ? name : name.substr(prefix.size()));
    if ((is_outside || prefix.empty()) && is_of_pretraining(renamed, *configured.kind) &&
        std::ranges::count(heads, renamed) == 0) {
      continue;
    }
    (is_outside ? outside : weights).emplace_back(std::move(renamed), std::move(tensor));
  }
  std::set<std::string> modules;
  std::unique_ptr<Encoder> encoder = configured.make([&](const ParameterSlots& slots) {
    take_parameters(slots, weights, directory.string());
    modules.merge(modules_of(slots));
  });
  std::set<std::string> inside;  // and not the encoder's
  for (const auto& [name, tensor] : weights) {
    if (!prefix.empty() || modules.contains(module_of(name))) inside.insert(name);
  }
  NamedTensors rest;
  for (const std::string& head : heads) {
    for (NamedTensors* const tensors : {&outside, &weights}) {  // BERT's pooler has the prefix
      const auto found = std::ranges::find(*tensors, head, &NamedTensors::value_type::first);
      if (found == tensors->end()) continue;
      rest.push_back(std::move(*found));
      tensors->erase(found);
      break;
    }
  }
  std::ranges::move(outside, std::back_inserter(weights));
  leave_out_rest(
      weights, [&](const std::string& name) { return inside.contains(name); }, directory.string());
  return {std::move(encoder), std::move(rest), std::move(configured.config_values)};
}

}  // namespace rubric::models
