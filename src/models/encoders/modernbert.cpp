#include "models/encoders/modernbert.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <ATen/ATen.h>

#include "models/architecture.h"
#include "models/ops/device.h"
#include "models/ops/layers.h"

namespace rubric::models {

namespace {

// Where in the network a dropout mask is drawn; with the layer's index the site is unique.
enum ModernBertDropoutSite : uint64_t {
  kModernEmbeddings,
  kModernProbabilities,
  kModernAttentionOutput,
  kModernInner
};

constexpr uint64_t modernbert_dropout_site(size_t layer, ModernBertDropoutSite place) {
  return static_cast<uint64_t>(layer) * 4 + place;
}

constexpr const char *kGlobal = "full_attention", *kLocal = "sliding_attention";

// Which layers attend to all tokens.
std::vector<bool> read_layer_types(ConfigFields& fields, int64_t layers) {
  std::vector<bool> is_global;
  const int64_t every = fields.size("global_attn_every_n_layers", 3);
  for (int64_t i = 0; i < layers; ++i) is_global.push_back(i % every == 0);
  const std::vector<std::string> types = fields.choices("layer_types", layers, {kGlobal, kLocal});
  for (size_t i = 0; i < types.size(); ++i) is_global[i] = types[i] == kGlobal;
  return is_global;
}

// The base of transformers 5's rope_parameters for layers of a type; of transformers 4's field
// where there is none.
double read_base(ConfigFields& fields, const char* type, double otherwise) {
  const std::optional<ConfigFields> all = fields.object("rope_parameters");
  std::optional<ConfigFields> of_type = all ? all->object(type) : std::nullopt;
  if (all) all->refuse_all_but({kGlobal, kLocal});
  if (!of_type) return otherwise;
  of_type->refuse_all_but({"rope_type", "rope_theta"});
  of_type->choice("rope_type", "default", {"default"});
  const double base = of_type->positive("rope_theta", otherwise);
  fields.note(*of_type);
  return base;
}

}  // namespace

ModernBertConfig read_modernbert_config(ConfigFields& fields) {
  fields.refuse_unless_off("rope_scaling");
  ModernBertConfig config;
  config.vocab_size = fields.size("vocab_size");
  config.hidden_size = fields.size("hidden_size");
  config.num_hidden_layers = fields.layers("num_hidden_layers");
  config.num_attention_heads = fields.size("num_attention_heads");
  config.intermediate_size = fields.size("intermediate_size");
  config.max_position_embeddings = fields.size("max_position_embeddings", 8192);
  config.pad_token_id = fields.token("pad_token_id", config.vocab_size, -1);
  config.norm_eps = fields.fraction("norm_eps", config.norm_eps);
  config.norm_bias = fields.flag("norm_bias", false);
  config.attention_bias = fields.flag("attention_bias", false);
  config.mlp_bias = fields.flag("mlp_bias", false);
  config.embedding_dropout = fields.dropout("embedding_dropout", 0);
  config.attention_dropout = fields.dropout("attention_dropout", 0);
  config.mlp_dropout = fields.dropout("mlp_dropout", 0);
  config.hidden_activation = fields.choice("hidden_activation", "gelu", kGatedActivations);
  config.is_global = read_layer_types(fields, config.num_hidden_layers);
  config.local_attention = fields.size("local_attention", config.local_attention);
  config.global_rope_theta = fields.positive("global_rope_theta", config.global_rope_theta);
  config.local_rope_theta = fields.has("local_rope_theta") && !fields.is_given("local_rope_theta")
                                ? config.global_rope_theta
                                : fields.positive("local_rope_theta", config.local_rope_theta);
  config.global_rope_theta = read_base(fields, kGlobal, config.global_rope_theta);
  config.local_rope_theta = read_base(fields, kLocal, config.local_rope_theta);
  if (config.hidden_size % (2 * config.num_attention_heads) != 0) {
    fields.refuse("hidden_size is no multiple of num_attention_heads with heads of an even size",
                  kUsePublishedConfig);
  }
  return config;
}

ModernBert::ModernBert(ModernBertConfig config, const ParameterLoader& load)
    : Encoder({.longest_row = config.max_position_embeddings,
               .vocabulary_size = config.vocab_size,
               .segment_types = 0,
               .layers = config.num_hidden_layers,
               .width = config.hidden_size}),
      config_(std::move(config)),
      global_rotary_({.size = config_.head_size(), .base = config_.global_rope_theta}),
      local_rotary_({.size = config_.head_size(), .base = config_.local_rope_theta}),
      layers_(static_cast<size_t>(config_.num_hidden_layers)) {
  load(slots());
}

ParameterSlots ModernBert::slots() {
  const int64_t hidden = config_.hidden_size, inner = config_.intermediate_size;
  ParameterSlots all;
  const auto norm = [&](const std::string& name, LayerNorm& map) {
    add_norm(all, name, map, hidden, config_.norm_bias);
  };
  all.push_back({"embeddings.tok_embeddings.weight", &embeddings_, {config_.vocab_size, hidden}});
  norm("embeddings.norm", embedding_norm_);
  for (size_t i = 0; i < layers_.size(); ++i) {
    ModernBertLayer& l = layers_[i];
    const std::string layer = "layers." + std::to_string(i) + ".";
    if (i > 0) norm(layer + "attn_norm", l.attention_norm);
    const bool has_bias = config_.attention_bias;
    add_linear(all, layer + "attn.Wqkv", l.query_key_value, 3 * hidden, hidden, has_bias);
    add_linear(all, layer + "attn.Wo", l.attention_output, hidden, hidden, has_bias);
    norm(layer + "mlp_norm", l.mlp_norm);
    add_linear(all, layer + "mlp.Wi", l.gated, 2 * inner, hidden, config_.mlp_bias);
    add_linear(all, layer + "mlp.Wo", l.output, hidden, inner, config_.mlp_bias);
  }
  norm("final_norm", final_norm_);
  return all;
}

void ModernBert::pack_weights(Packing packing) {
  for (ModernBertLayer& l : layers_) {
    for (Linear* map : {&l.query_key_value, &l.attention_output, &l.gated, &l.output}) {
      pack_weight(*map, packing);
    }
  }
}

// The forward pass.

at::Tensor ModernBert::visit_states(const PackedTokens& tokens, int64_t layer,
                                    const DropoutKeys& keys, const StateVisitor& visit) const {
  const at::Tensor x =
      run_layers(tokens, static_cast<size_t>(layer), turns_of(tokens.offsets), keys, visit);
  return layer == limits().layers ? layer_norm(x, final_norm_, config_.norm_eps) : x;
}

at::Tensor ModernBert::states_cut_behind(const PackedTokens& tokens, int64_t layer) const {
  return layer_norm(
      run_layers(tokens, static_cast<size_t>(layer), turns_of(tokens.offsets), DropoutKeys()),
      final_norm_, config_.norm_eps);
}

at::Tensor ModernBert::cls_states(const PackedTokens& tokens, const DropoutKeys& keys) const {
  const size_t last = layers_.size() - 1;
  const Turns turns = turns_of(tokens.offsets);
  const at::Tensor x = run_layers(tokens, last, turns, keys);
  const std::vector<at::Tensor> qkv = project(last, x, turns);
  // The rows of queries, and those of keys: as far as the first token sees.
  std::vector<int64_t> firsts, seen;
  Offsets one_each = {0}, seen_offsets = {0};
  for (size_t row = 0; row + 1 < tokens.offsets.size(); ++row) {
    const int64_t begin = tokens.offsets[row], length = tokens.offsets[row + 1] - begin;
    const int64_t reach =
        config_.is_global[last] ? length : std::min(length, config_.local_attention / 2 + 1);
    firsts.push_back(begin);
    for (int64_t i = 0; i < reach; ++i) seen.push_back(begin + i);
    one_each.push_back(std::ssize(firsts));
    seen_offsets.push_back(std::ssize(seen));
  }
  const at::Tensor first_index = index_tensor(firsts);
  const at::Tensor first_rows = on_device(first_index, x.device());
  const at::Tensor seen_rows = index_tensor(seen, x.device());
  AttentionSettings settings = attention_settings(last);
  settings.window.reset();
  const DropoutKeys first_keys = keys.enabled() ? keys.select(first_index) : keys;
  const at::Tensor context = packed_attention(
      qkv[0].index_select(0, first_rows), qkv[1].index_select(0, seen_rows),
      qkv[2].index_select(0, seen_rows), one_each, seen_offsets, settings, first_keys);
  return layer_norm(after_attention(last, x.index_select(0, first_rows), context, first_keys),
                    final_norm_, config_.norm_eps);
}

ModernBert::Turns ModernBert::turns_of(const Offsets& offsets) const {
  return {global_rotary_.angles(offsets, device()), local_rotary_.angles(offsets, device())};
}

at::Tensor ModernBert::embed(const PackedTokens& tokens, const DropoutKeys& keys) const {
  const at::Tensor x =
      at::embedding(embeddings_, on_device(tokens.ids, device()), config_.pad_token_id);
  return dropout(layer_norm(x, embedding_norm_, config_.norm_eps), keys, config_.embedding_dropout,
                 modernbert_dropout_site(layers_.size(), kModernEmbeddings));
}

at::Tensor ModernBert::run_layers(const PackedTokens& tokens, size_t count, const Turns& turns,
                                  const DropoutKeys& keys, const StateVisitor& visit) const {
  at::Tensor x = embed(tokens, keys);
  for (size_t i = 0; i < count; ++i) {
    if (visit) visit(x);
    const auto run = [this, i, turns, offsets = tokens.offsets, keys](const auto& inputs) {
      const std::vector<at::Tensor> qkv = project(i, inputs[0], turns);
      const at::Tensor context =
          packed_attention(qkv[0], qkv[1], qkv[2], offsets, offsets, attention_settings(i), keys);
      return after_attention(i, inputs[0], context, keys);
    };
    x = run_layer(run, {x});
  }
  return x;
}

std::vector<at::Tensor> ModernBert::project(size_t index, const at::Tensor& x,
                                            const Turns& turns) const {
  const ModernBertLayer& l = layers_[index];
  const at::Tensor input = index == 0 ? x : layer_norm(x, l.attention_norm, config_.norm_eps);
  std::vector<at::Tensor> qkv = linear(input, l.query_key_value).chunk(3, 1);
  const RotaryAngles& angles = config_.is_global[index] ? turns.global : turns.local;
  for (size_t i = 0; i < 2; ++i) qkv[i] = rotate(qkv[i], config_.num_attention_heads, angles);
  return qkv;
}

at::Tensor ModernBert::after_attention(size_t index, const at::Tensor& x, const at::Tensor& context,
                                       const DropoutKeys& keys) const {
  const ModernBertLayer& l = layers_[index];
  const at::Tensor attended =
      x + dropout(linear(context, l.attention_output), keys, config_.attention_dropout,
                  modernbert_dropout_site(index, kModernAttentionOutput));
  const at::Tensor inner =
      gated_activation(linear(layer_norm(attended, l.mlp_norm, config_.norm_eps), l.gated),
                       config_.hidden_activation);
  return attended + linear(dropout(inner, keys, config_.mlp_dropout,
                                   modernbert_dropout_site(index, kModernInner)),
                           l.output);
}

AttentionSettings ModernBert::attention_settings(size_t index) const {
  AttentionSettings settings = {
      .heads = config_.num_attention_heads,
      .dropout_rate = config_.attention_dropout,
      .dropout_site = modernbert_dropout_site(index, kModernProbabilities),
      .rounded = layers_[index].query_key_value.int8 != nullptr};
  if (!config_.is_global[index]) settings.window = config_.local_attention / 2;
  return settings;
}

template <>
EncoderFactory read_encoder<kModernBert>(ConfigFields& fields) {
  return {[config = read_modernbert_config(fields)](const ParameterLoader& load) {
    return std::make_unique<ModernBert>(config, load);
  }};
}

}  // namespace rubric::models
