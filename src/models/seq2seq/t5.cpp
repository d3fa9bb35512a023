#include "models/seq2seq/t5.h"

#include <cmath>

#include "data/model_files/t5_kind.h"
#include "models/architecture.h"
#include "models/ops/device.h"

namespace rubric::models {

T5::T5(T5Config config, const ParameterLoader& load) : config_(std::move(config)) {
  encoder_.layers.resize(static_cast<size_t>(config_.num_layers));
  decoder_.layers.resize(static_cast<size_t>(config_.num_decoder_layers));
  load(slots());
}

ParameterSlots T5::slots() {
  const int64_t width = config_.d_model, inner = config_.inner_width();
  ParameterSlots all;
  const auto add_attention = [&](const std::string& name, AttentionMaps& attention) {
    all.push_back({name + ".q.weight", &attention.query.weight, {inner, width}});
    all.push_back({name + ".k.weight", &attention.key.weight, {inner, width}});
    all.push_back({name + ".v.weight", &attention.value.weight, {inner, width}});
    all.push_back({name + ".o.weight", &attention.output.weight, {width, inner}});
  };
  const auto add_stack = [&](const std::string& prefix, T5Stack& stack, bool is_decoder) {
    for (size_t i = 0; i < stack.layers.size(); ++i) {
      T5Layer& layer = stack.layers[i];
      std::string name = prefix + ".block." + std::to_string(i) + ".layer.0.";
      add_attention(name + "SelfAttention", layer.self_attention);
      if (i == 0) {
        // A bias that is looked up: it does not decay, and begins as weights do.
        all.push_back({.name = name + "SelfAttention.relative_attention_bias.weight",
                       .tensor = &stack.relative_position_bias,
                       .shape = {config_.relative_attention_num_buckets, config_.num_heads},
                       .decays = false});
      }
      add_norm_weight(all, name + "layer_norm.weight", layer.self_norm, width);
      if (is_decoder) {
        name.replace(name.size() - 2, 1, "1");
        add_attention(name + "EncDecAttention", layer.cross_attention);
        add_norm_weight(all, name + "layer_norm.weight", layer.cross_norm, width);
      }
      name.replace(name.size() - 2, 1, is_decoder ? "2" : "1");
      const std::string dense = name + "DenseReluDense.";
      if (config_.is_gated()) {
        all.push_back({dense + "wi_0.weight", &layer.gate.weight, {config_.d_ff, width}});
      }
      all.push_back({dense + (config_.is_gated() ? "wi_1.weight" : "wi.weight"),
                     &layer.up.weight,
                     {config_.d_ff, width}});
      all.push_back({dense + "wo.weight", &layer.down.weight, {width, config_.d_ff}});
      add_norm_weight(all, name + "layer_norm.weight", layer.feed_forward_norm, width);
    }
    add_norm_weight(all, prefix + ".final_layer_norm.weight", stack.final_norm, width);
  };
  all.push_back({"shared.weight", &shared_, {config_.vocab_size, width}});
  add_stack("encoder", encoder_, false);
  add_stack("decoder", decoder_, true);
  if (!config_.tie_word_embeddings) {
    all.push_back({"lm_head.weight", &lm_head_, {config_.vocab_size, width}});
  }
  return all;
}

void T5::resize_vocabulary(int64_t size, uint64_t seed) {
  config_.vocab_size = size;
  shared_ = resized_embedding(shared_, size, seed);
  if (lm_head_.defined()) lm_head_ = resized_embedding(lm_head_, size, seed);
}

Linear T5::output_layer() const {
  return {config_.tie_word_embeddings ? shared_ : lm_head_, {}};
}

void T5::pack_layers(Packing packing) {
  for (T5Stack* stack : {&encoder_, &decoder_}) {
    for (T5Layer& l : stack->layers) {
      for (AttentionMaps* maps : {&l.self_attention, &l.cross_attention}) {
        pack_weight(*maps, packing);
      }
      for (Linear* map : {&l.gate, &l.up, &l.down}) pack_weight(*map, packing);
    }
  }
}

at::Tensor T5::embed(Stack stack, const std::vector<int64_t>& ids, const std::vector<int64_t>&,
                     const DropoutKeys& keys) const {
  return dropout(at::embedding(shared_, index_tensor(ids, shared_.device())), keys,
                 config_.dropout_rate, dropout_site(stack, 0, DropoutPlace::embeddings));
}

at::Tensor T5::layer(Stack stack, size_t index, const at::Tensor& x, const SelfAttention& attend,
                     const CrossAttention& attend_source, const DropoutKeys& keys) const {
  const T5Layer& l = stack_of(stack).layers[index];
  const double epsilon = config_.layer_norm_epsilon;
  const auto dropped = [&](const at::Tensor& y, DropoutPlace place) {
    return dropout(y, keys, config_.dropout_rate, dropout_site(stack, index, place));
  };
  const AttentionMaps &self = l.self_attention, &cross = l.cross_attention;
  const auto qkv =
      fused_linear(rms_norm(x, l.self_norm, epsilon), {&self.query, &self.key, &self.value});
  at::Tensor y = x + dropped(without_bias(attend(qkv[0], qkv[1], qkv[2]), self.output),
                             DropoutPlace::self_output);
  if (attend_source) {
    const at::Tensor q = without_bias(rms_norm(y, l.cross_norm, epsilon), cross.query);
    y = y + dropped(without_bias(attend_source(q), cross.output), DropoutPlace::cross_output);
  }
  const at::Tensor z = feed_forward(l, dropout_site(stack, index, DropoutPlace::inner),
                                    rms_norm(y, l.feed_forward_norm, epsilon), keys);
  return y + dropped(z, DropoutPlace::output);
}

at::Tensor T5::feed_forward(const T5Layer& l, uint64_t dropout_site, const at::Tensor& x,
                            const DropoutKeys& keys) const {
  at::Tensor inner;
  if (config_.is_gated()) {
    const at::Tensor gate = without_bias(x, l.gate);
    inner = (config_.feed_forward_proj == "gated-gelu" ? at::gelu(gate, "tanh") : at::silu(gate)) *
            without_bias(x, l.up);
  } else {
    inner = without_bias(x, l.up).relu_();  // in place: it is the largest tensor of a layer
  }
  return without_bias(dropout(inner, keys, config_.dropout_rate, dropout_site), l.down);
}

at::Tensor T5::finish(Stack stack, const at::Tensor& x, const DropoutKeys& keys) const {
  const at::Tensor states =
      dropout(rms_norm(x, stack_of(stack).final_norm, config_.layer_norm_epsilon), keys,
              config_.dropout_rate, dropout_site(stack, layers(stack) - 1, DropoutPlace::last));
  // The output layer's input is scaled when that layer is the embedding (v1.0).
  if (stack == Stack::encoder || !config_.tie_word_embeddings) return states;
  return states * (1 / std::sqrt(static_cast<double>(config_.d_model)));
}

at::Tensor T5::relative_position_bias(Stack stack, int64_t reach) const {
  return rubric::models::relative_position_bias(stack_of(stack).relative_position_bias, reach,
                                                config_.relative_attention_max_distance,
                                                stack == Stack::encoder);
}

T5Config read_t5_config(ConfigFields& fields) {
  const bool is_mt5 = fields.model_type() == "mt5";
  T5Config config;
  config.vocab_size = fields.size("vocab_size");
  config.d_model = fields.size("d_model");
  config.d_kv = fields.size("d_kv");
  config.d_ff = fields.size("d_ff");
  config.num_heads = fields.size("num_heads");
  config.num_layers = fields.layers("num_layers");
  config.num_decoder_layers = fields.layers("num_decoder_layers", config.num_layers);
  config.relative_attention_num_buckets = fields.size("relative_attention_num_buckets", 32);
  config.relative_attention_max_distance = fields.size("relative_attention_max_distance", 128);
  config.dropout_rate = fields.dropout("dropout_rate", 0.1);
  config.layer_norm_epsilon = fields.fraction("layer_norm_epsilon", 1e-6);
  config.feed_forward_proj = fields.choice("feed_forward_proj", is_mt5 ? "gated-gelu" : "relu",
                                           {"relu", "gated-gelu", "gated-silu"});
  config.tie_word_embeddings = fields.flag("tie_word_embeddings", !is_mt5);
  config.initializer_factor = fields.start_scale("initializer_factor", 1);
  // Both directions need buckets for exact and for logarithmic distances.
  if (config.relative_attention_num_buckets < 4 ||
      config.relative_attention_max_distance <= config.relative_attention_num_buckets / 2) {
    fields.refuse(
        "relative_attention_num_buckets and relative_attention_max_distance leave no place for "
        "rounded distances",
        kUsePublishedConfig);
  }
  return config;
}

double t5_deviation(const T5Config& config, const std::string& name) {
  const double factor = config.initializer_factor;
  const double width = factor * reciprocal_root(config.d_model);
  if (name == "shared.weight" || name == "lm_head.weight") return factor;
  if (name.ends_with(".q.weight")) return width * reciprocal_root(config.d_kv);
  if (name.ends_with(".o.weight")) return factor * reciprocal_root(config.inner_width());
  if (name.ends_with(".wo.weight")) return factor * reciprocal_root(config.d_ff);
  return width;
}

template <>
SequenceModelFactory read_sequence_model<data::kT5>(ConfigFields& fields) {
  const T5Config config = read_t5_config(fields);
  return {config.vocab_size,
          "",
          "shared.weight",
          config.tie_word_embeddings,
          -1,
          [config](const std::string& name) { return t5_deviation(config, name); },
          [config](const ParameterLoader& load) { return std::make_unique<T5>(config, load); }};
}

}  // namespace rubric::models
