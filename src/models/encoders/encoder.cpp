#include "models/encoders/encoder.h"

#include <algorithm>
#include <array>
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

// Removes the prefix of a kind from a tensor's name. A model that was trained further under another
// model_type may have kept the prefix of the one that it started from.
bool remove_prefix(std::string& name) {
  for (const EncoderKind* const kind : kEncoders) {
    if (kind->prefix.empty() || !name.starts_with(kind->prefix)) continue;
    name.erase(0, kind->prefix.size());
    return true;
  }
  return false;
}

// Today's name of a tensor without prefix.
std::string current_encoder_name(std::string name) {
  if (!replace_end(name, "LayerNorm.gamma", "LayerNorm.weight")) {
    replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
  }
  return name;
}

// The heads of pre-training, which most published encoders have: nothing is said of them.
bool is_of_pretraining(const std::string& name) {
  return name.starts_with("cls.") || name.starts_with("lm_head.");
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
  return factory;
}

LoadedEncoder load_encoder(const std::filesystem::path& directory,
                           const std::vector<std::string>& heads) {
  EncoderFactory configured = read_encoder_config(directory);
  NamedTensors weights;
  std::set<std::string> prefixed;  // names that had a prefix
  for (auto& [name, tensor] : read_weights(directory)) {
    std::string renamed = name;
    const bool has_prefix = remove_prefix(renamed);
    renamed = current_encoder_name(std::move(renamed));
    if (!has_prefix && is_of_pretraining(renamed)) continue;
    if (has_prefix) prefixed.insert(renamed);
    weights.emplace_back(std::move(renamed), std::move(tensor));
  }
  std::set<std::string> modules;
  std::unique_ptr<Encoder> encoder = configured.make([&](const ParameterSlots& slots) {
    take_parameters(slots, weights, directory.string());
    modules.merge(modules_of(slots));
  });
  NamedTensors rest;
  for (const std::string& head : heads) {
    const auto found = std::ranges::find(weights, head, &NamedTensors::value_type::first);
    if (found == weights.end() || prefixed.contains(head)) continue;
    rest.push_back(std::move(*found));
    weights.erase(found);
  }
  leave_out_rest(
      weights,
      [&](const std::string& name) {
        return prefixed.contains(name) || modules.contains(module_of(name));
      },
      directory.string());
  return {std::move(encoder), std::move(rest), std::move(configured.config_values)};
}

}  // namespace rubric::models
