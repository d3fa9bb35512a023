#include "models/seq2seq/bart.h"

#include <cmath>

#include "data/model_files/bart_kind.h"
#include "models/architecture.h"
#include "models/ops/device.h"

namespace rubric::models {

namespace {

constexpr double kEpsilon = 1e-5;       // of every layer norm
constexpr int64_t kPositionOffset = 2;  // the row of the first position in the position embeddings

}  // namespace

Bart::Bart(BartConfig config, const ParameterLoader& load) : config_(std::move(config)) {
  encoder_.layers.resize(static_cast<size_t>(config_.encoder_layers));
  encoder_.heads = config_.encoder_attention_heads;
  decoder_.layers.resize(static_cast<size_t>(config_.decoder_layers));
  decoder_.heads = config_.decoder_attention_heads;
  load(slots());
  // The earliest checkpoints lack it.
  load({{.name = "final_logits_bias",
         .tensor = &final_logits_bias_,
         .shape = {1, config_.vocab_size},
         .is_optional = true,
         .decays = false,
         .start = StartValue::zeros}});
}

ParameterSlots Bart::slots() {
  const int64_t width = config_.d_model;
  ParameterSlots all;
  const auto add_attention = [&](const std::string& name, AttentionMaps& attention) {
    add_linear(all, name + ".k_proj", attention.key, width, width);
    add_linear(all, name + ".v_proj", attention.value, width, width);
    add_linear(all, name + ".q_proj", attention.query, width, width);
    add_linear(all, name + ".out_proj", attention.output, width, width);
  };
  const auto add_stack = [&](const std::string& name, BartStack& stack, int64_t inner,
                             bool is_decoder) {
    all.push_back({name + ".embed_positions.weight",
                   &stack.positions,
                   {config_.max_position_embeddings + kPositionOffset, width}});
    for (size_t i = 0; i < stack.layers.size(); ++i) {
      const std::string prefix = name + ".layers." + std::to_string(i) + ".";
      BartLayer& layer = stack.layers[i];
      add_attention(prefix + "self_attn", layer.self_attention);
      add_norm(all, prefix + "self_attn_layer_norm", layer.self_norm, width);
      if (is_decoder) {
        add_attention(prefix + "encoder_attn", layer.cross_attention);
        add_norm(all, prefix + "encoder_attn_layer_norm", layer.cross_norm, width);
      }
      add_linear(all, prefix + "fc1", layer.inner, inner, width);
      add_linear(all, prefix + "fc2", layer.output, width, inner);
      add_norm(all, prefix + "final_layer_norm", layer.final_norm, width);
    }
    add_norm(all, name + ".layernorm_embedding", stack.embedding_norm, width);
  };
  all.push_back({"model.shared.weight", &shared_, {config_.vocab_size, width}});
  add_stack("model.encoder", encoder_, config_.encoder_ffn_dim, false);
  add_stack("model.decoder", decoder_, config_.decoder_ffn_dim, true);
  return all;
}

void Bart::resize_vocabulary(int64_t size, uint64_t seed) {
  const at::Tensor zeros = at::zeros({1, size - config_.vocab_size});
  config_.vocab_size = size;
  shared_ = resized_embedding(shared_, size, seed);
  final_logits_bias_ = at::cat({final_logits_bias_, zeros}, 1);
}

NamedTensors Bart::buffers() const {
  return {{"final_logits_bias", final_logits_bias_}};
}

Linear Bart::output_layer() const {
  return {shared_, final_logits_bias_[0]};
}

void Bart::pack_layers(Packing packing) {
  for (BartStack* stack : {&encoder_, &decoder_}) {
    for (BartLayer& l : stack->layers) {
      for (AttentionMaps* maps : {&l.self_attention, &l.cross_attention}) {
        pack_weight(*maps, packing);
      }
      for (Linear* map : {&l.inner, &l.output}) pack_weight(*map, packing);
    }
  }
}

at::Tensor Bart::embed(Stack stack, const std::vector<int64_t>& ids,
                       const std::vector<int64_t>& positions, const DropoutKeys& keys) const {
  at::Tensor tokens =
      at::embedding(shared_, index_tensor(ids, shared_.device()), config_.pad_token_id);
  if (config_.scale_embedding) tokens = tokens * std::sqrt(static_cast<double>(config_.d_model));
  const at::Tensor places = index_tensor(positions, shared_.device()) + kPositionOffset;
  const at::Tensor x = tokens + at::embedding(stack_of(stack).positions, places);
  return dropout(layer_norm(x, stack_of(stack).embedding_norm, kEpsilon), keys, config_.dropout,
                 dropout_site(stack, 0, DropoutPlace::embeddings));
}

at::Tensor Bart::layer(Stack stack, size_t index, const at::Tensor& x, const SelfAttention& attend,
                       const CrossAttention& attend_source, const DropoutKeys& keys) const {
  const BartLayer& l = stack_of(stack).layers[index];
  const AttentionMaps &self = l.self_attention, &cross = l.cross_attention;
  const auto after = [&](const at::Tensor& y, const Linear& map, const at::Tensor& residual,
                         const LayerNorm& norm, DropoutPlace place) {
    return add_norm(without_bias(y, map), map.bias, residual, norm, kEpsilon, keys, config_.dropout,
                    dropout_site(stack, index, place));
  };
  const auto qkv = fused_linear(x, {&self.query, &self.key, &self.value});
  at::Tensor y =
      after(attend(qkv[0], qkv[1], qkv[2]), self.output, x, l.self_norm, DropoutPlace::self_output);
  if (attend_source) {
    y = after(attend_source(linear(y, cross.query)), cross.output, y, l.cross_norm,
              DropoutPlace::cross_output);
  }
  const at::Tensor inner =
      activation(without_bias(y, l.inner), l.inner.bias, config_.activation_function);
  const at::Tensor dropped = dropout(inner, keys, config_.activation_dropout,
                                     dropout_site(stack, index, DropoutPlace::inner));
  return after(dropped, l.output, y, l.final_norm, DropoutPlace::output);
}

BartConfig read_bart_config(ConfigFields& fields) {
  // Variants of fairseq's other models that BART does not have.
  for (const auto& [name, published] : {std::pair("normalize_before", false),
                                        {"add_final_layer_norm", false},
                                        {"static_position_embeddings", false},
                                        {"normalize_embedding", true},
                                        {"tie_word_embeddings", true}}) {
    if (fields.flag(name, published) == published) continue;
    fields.refuse(std::string(name) + " is " + (published ? "false" : "true") +
                      ", which no published BART has",
                  "use a BART");
  }
  BartConfig config;
  config.vocab_size = fields.size("vocab_size");
  config.d_model = fields.size("d_model");
  config.max_position_embeddings = fields.size("max_position_embeddings");
  config.encoder_layers = fields.layers("encoder_layers");
  config.encoder_attention_heads = fields.size("encoder_attention_heads");
  config.encoder_ffn_dim = fields.size("encoder_ffn_dim");
  config.decoder_layers = fields.layers("decoder_layers");
  config.decoder_attention_heads = fields.size("decoder_attention_heads");
  config.decoder_ffn_dim = fields.size("decoder_ffn_dim");
  config.dropout = fields.dropout("dropout", 0.1);
  config.attention_dropout = fields.dropout("attention_dropout", 0);
  config.activation_dropout = fields.dropout("activation_dropout", 0);
  config.activation_function =
      fields.choice("activation_function", "gelu", {"gelu", "gelu_new", "relu"});
  config.scale_embedding = fields.flag("scale_embedding", false);
  config.init_std = fields.start_scale("init_std", 0.02);
  for (const char* const name : {"encoder_layerdrop", "decoder_layerdrop"}) {
    if (fields.dropout(name, 0) == 0) continue;
    fields.refuse(std::string(name) + " is above 0: layers would be dropped in training",
                  "set it to 0");
  }
  config.pad_token_id = fields.token("pad_token_id", config.vocab_size, config.pad_token_id);
  if (config.d_model % config.encoder_attention_heads != 0 ||
      config.d_model % config.decoder_attention_heads != 0) {
    fields.refuse("d_model is not a multiple of the attention heads", kUsePublishedConfig);
  }
  return config;
}

template <>
SequenceModelFactory read_sequence_model<data::kBart>(ConfigFields& fields) {
  const BartConfig config = read_bart_config(fields);
  return {config.vocab_size,
          "model.",
          "model.shared.weight",
          true,
          config.pad_token_id,
          [config](const std::string&) { return config.init_std; },
          [config](const ParameterLoader& load) { return std::make_unique<Bart>(config, load); },
          {},
          true};
}

}  // namespace rubric::models
