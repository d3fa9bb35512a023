#include "models/causal/gpt2.h"

#include <cmath>

#include "data/model_files/gpt2_kind.h"
#include "models/architecture.h"
#include "models/ops/device.h"

namespace rubric::models {

namespace {

// Where a dropout mask is drawn; with the layer's index the site is unique.
enum Gpt2DropoutSite : uint64_t { kEmbeddings, kProbabilities, kAttentionOutput, kOutput };

constexpr uint64_t gpt2_dropout_site(size_t layer, Gpt2DropoutSite place) {
  return static_cast<uint64_t>(layer) * 4 + place;
}

// The map with its weight as linear() takes it, [out, in]: transformers' Conv1D has it [in, out].
// A packed weight is [out, in] already.
Linear as_linear(const Linear& map) {
  return {is_packed(map) ? map.weight : map.weight.t(), map.bias, map.int8};
}

}  // namespace

Gpt2::Gpt2(Gpt2Config config, const ParameterLoader& load)
    : config_(std::move(config)), layers_(static_cast<size_t>(config_.n_layer)) {
  load(slots());
}

ParameterSlots Gpt2::slots() {
  const int64_t width = config_.n_embd;
  ParameterSlots all;
  const auto add_convolution = [&](const std::string& name, Linear& map, int64_t in, int64_t out) {
    all.push_back({name + ".weight", &map.weight, {in, out}});
    add_bias(all, name + ".bias", map.bias, out);
  };
  all.push_back({"transformer.wte.weight", &word_embeddings_, {config_.vocab_size, width}});
  all.push_back({"transformer.wpe.weight", &position_embeddings_, {config_.n_positions, width}});
  for (size_t i = 0; i < layers_.size(); ++i) {
    const std::string name = "transformer.h." + std::to_string(i) + ".";
    Gpt2Layer& layer = layers_[i];
    add_norm(all, name + "ln_1", layer.attention_norm, width);
    add_convolution(name + "attn.c_attn", layer.attention, width, 3 * width);
    add_convolution(name + "attn.c_proj", layer.attention_output, width, width);
    add_norm(all, name + "ln_2", layer.feed_forward_norm, width);
    add_convolution(name + "mlp.c_fc", layer.inner, width, config_.n_inner);
    add_convolution(name + "mlp.c_proj", layer.output, config_.n_inner, width);
  }
  add_norm(all, "transformer.ln_f", final_norm_, width);
  if (!config_.tie_word_embeddings) {
    all.push_back({"lm_head.weight", &lm_head_, {config_.vocab_size, width}});
  }
  return all;
}

void Gpt2::resize_vocabulary(int64_t size, uint64_t seed) {
  config_.vocab_size = size;
  word_embeddings_ = resized_embedding(word_embeddings_, size, seed);
  if (lm_head_.defined()) lm_head_ = resized_embedding(lm_head_, size, seed);
}

Linear Gpt2::output_layer() const {
  return {config_.tie_word_embeddings ? word_embeddings_ : lm_head_, {}};
}

void Gpt2::pack_layers(Packing packing) {
  for (Gpt2Layer& l : layers_) {
    for (Linear* map : {&l.attention, &l.attention_output, &l.inner, &l.output}) {
      Linear packed_map = as_linear(*map);
      pack_weight(packed_map, packing);
      if (is_packed(packed_map)) *map = std::move(packed_map);
    }
  }
}

at::Tensor Gpt2::embed(const CausalTokens& tokens, const DropoutKeys& keys) const {
  const at::Device device = word_embeddings_.device();
  const at::Tensor x = at::embedding(word_embeddings_, index_tensor(tokens.ids, device)) +
                       at::embedding(position_embeddings_, index_tensor(tokens.positions, device));
  return dropout(x, keys, config_.embd_pdrop, gpt2_dropout_site(layers_.size(), kEmbeddings));
}

at::Tensor Gpt2::layer(size_t index, const at::Tensor& x, const CausalTokens&,
                       const SelfAttention& attend, const DropoutKeys& keys) const {
  const Gpt2Layer& l = layers_[index];
  const double rate = config_.resid_pdrop, epsilon = config_.layer_norm_epsilon;
  const auto qkv =
      linear(layer_norm(x, l.attention_norm, epsilon), as_linear(l.attention)).chunk(3, 1);
  const at::Tensor attended = linear(attend(qkv[0], qkv[1], qkv[2]), as_linear(l.attention_output));
  const at::Tensor y =
      x + dropout(attended, keys, rate, gpt2_dropout_site(index, kAttentionOutput));
  const at::Tensor inner =
      activation(without_bias(layer_norm(y, l.feed_forward_norm, epsilon), as_linear(l.inner)),
                 l.inner.bias, config_.activation_function);
  return y +
         dropout(linear(inner, as_linear(l.output)), keys, rate, gpt2_dropout_site(index, kOutput));
}

AttentionSettings Gpt2::attention_settings(size_t layer) const {
  const auto head_size = static_cast<double>(config_.n_embd / config_.n_head);
  double scale = config_.scale_attn_weights ? 1 / std::sqrt(head_size) : 1;
  if (config_.scale_attn_by_inverse_layer_idx) scale /= static_cast<double>(layer + 1);
  return {config_.n_head, config_.attn_pdrop, gpt2_dropout_site(layer, kProbabilities), scale,
          true};
}

KeyValueCache Gpt2::new_cache(int64_t rows) const {
  return {rows, config_.n_layer, config_.n_head, config_.n_embd};
}

at::Tensor Gpt2::finish(const at::Tensor& x) const {
  return layer_norm(x, final_norm_, config_.layer_norm_epsilon);
}

Gpt2Config read_gpt2_config(ConfigFields& fields) {
  if (fields.flag("add_cross_attention", false)) {
    fields.refuse("add_cross_attention is true: the model needs an encoder",
                  "use a GPT-2 without cross-attention");
  }
  Gpt2Config config;
  config.vocab_size = fields.size("vocab_size");
  config.n_positions = fields.size("n_positions");
  config.n_embd = fields.size("n_embd");
  config.n_layer = fields.layers("n_layer");
  config.n_head = fields.size("n_head");
  config.n_inner = fields.size("n_inner", 4 * config.n_embd);
  config.activation_function =
      fields.choice("activation_function", "gelu_new", {"gelu_new", "gelu", "relu"});
  config.resid_pdrop = fields.dropout("resid_pdrop", 0.1);
  config.embd_pdrop = fields.dropout("embd_pdrop", 0.1);
  config.attn_pdrop = fields.dropout("attn_pdrop", 0.1);
  config.layer_norm_epsilon = fields.fraction("layer_norm_epsilon", 1e-5);
  config.scale_attn_weights = fields.flag("scale_attn_weights", true);
  config.scale_attn_by_inverse_layer_idx = fields.flag("scale_attn_by_inverse_layer_idx", false);
  config.initializer_range = fields.start_scale("initializer_range", 0.02);
  config.tie_word_embeddings = fields.flag("tie_word_embeddings", true);
  if (config.n_embd % config.n_head != 0) {
    fields.refuse("n_embd is not a multiple of n_head", kUsePublishedConfig);
  }
  return config;
}

double gpt2_deviation(const Gpt2Config& config, const std::string& name) {
  const bool ends_a_sublayer = name.ends_with("c_proj.weight");
  return ends_a_sublayer ? config.initializer_range * reciprocal_root(2 * config.n_layer)
                         : config.initializer_range;
}

template <>
SequenceModelFactory read_sequence_model<data::kGpt2>(ConfigFields& fields) {
  const Gpt2Config config = read_gpt2_config(fields);
  return {config.vocab_size,
          "transformer.",
          "transformer.wte.weight",
          config.tie_word_embeddings,
          -1,
          [config](const std::string& name) { return gpt2_deviation(config, name); },
          [config](const ParameterLoader& load) { return std::make_unique<Gpt2>(config, load); }};
}

}  // namespace rubric::models
