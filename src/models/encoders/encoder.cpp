#include "models/encoders/encoder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "models/config_fields.h"
#include "models/encoders/list.h"
#include "models/ops/device.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

using ReadEncoder = EncoderFactory (*)(ConfigFields& fields);

template <size_t... kIndex>
constexpr std::array<ReadEncoder, sizeof...(kIndex)> readers(std::index_sequence<kIndex...>) {
  return {read_encoder<*kEncoders[kIndex]>...};
}

// That of each kind, in the order of the list.
constexpr auto kReaders = readers(std::make_index_sequence<std::size(kEncoders)>());

bool replace_end(std::string& name, std::string_view old_end, std::string_view new_end) {
  if (!name.ends_with(old_end)) return false;
  name.replace(name.size() - old_end.size(), old_end.size(), new_end);
  return true;
}

// Today's name of a tensor, without prefix. A model that was trained further under another
// model_type may have kept the prefix of the one that it started from.
std::string current_encoder_name(std::string name) {
  for (const EncoderKind* const kind : kEncoders) {
    if (kind->prefix.empty() || !name.starts_with(kind->prefix)) continue;
    name.erase(0, kind->prefix.size());
    break;
  }
  if (!replace_end(name, "LayerNorm.gamma", "LayerNorm.weight")) {
    replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
  }
  return name;
}

bool is_unused(const EncoderKind& kind, const std::string& name) {
  return name == "embeddings.position_ids" ||
         std::ranges::any_of(kind.unused_heads,
                             [&](std::string_view head) { return name.starts_with(head); });
}

struct ConfiguredEncoder {
  const EncoderKind& kind;
  EncoderFactory factory;
};

ConfiguredEncoder read_config(const std::filesystem::path& directory) {
  ConfigFields fields(directory);
  const EncoderKind& kind = require_encoder(fields.model_type(), fields.where());
  const auto index = std::ranges::find(kEncoders, &kind) - std::begin(kEncoders);
  EncoderFactory factory = kReaders[static_cast<size_t>(index)](fields);
  factory.config_values = fields.values();
  return {kind, std::move(factory)};
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
  return read_config(directory).factory;
}

LoadedEncoder load_encoder(const std::filesystem::path& directory,
                           const std::vector<std::string>& heads) {
  ConfiguredEncoder configured = read_config(directory);
  NamedTensors weights;
  for (auto& [name, tensor] : read_weights(directory)) {
    std::string renamed = current_encoder_name(name);
    if (is_unused(configured.kind, renamed)) continue;
    weights.emplace_back(std::move(renamed), std::move(tensor));
  }
  std::unique_ptr<Encoder> encoder = configured.factory.make(
      [&](const ParameterSlots& slots) { take_parameters(slots, weights, directory.string()); });
  std::vector<std::string> unexpected;
  for (const auto& [name, tensor] : weights) {
    if (std::find(heads.begin(), heads.end(), name) == heads.end()) unexpected.push_back(name);
  }
  if (!unexpected.empty()) {
    throw InputError(
        "the weights hold tensors that this model does not have: " + join_some(unexpected),
        directory.string());
  }
  return {std::move(encoder), std::move(weights), std::move(configured.factory.config_values)};
}

}  // namespace rubric::models
