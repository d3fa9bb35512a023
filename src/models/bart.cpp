#include "models/bart.h"

#include <cmath>

#include "models/initial_weights.h"
#include "models/key_value_cache.h"

namespace rubric {
namespace {

constexpr double kEpsilon = 1e-5;       // of every layer norm
constexpr int64_t kPositionOffset = 2;  // the first position's row among the position embeddings

// Where in the network a dropout mask is drawn; with the layer's index, the decoder's counted after
// the encoder's, the site is unique.
enum DropoutPlace : uint64_t {
  kEmbeddings,
  kSelfProbabilities,
  kSelfOutput,
  kCrossProbabilities,
  kCrossOutput,
  kInner,
  kOutput
};

constexpr uint64_t dropout_site(size_t layer, DropoutPlace place) {
  return static_cast<uint64_t>(layer) * 8 + place;
}

}  // namespace

Bart::Bart(BartConfig config, const ParameterLoader& load) : config_(std::move(config)) {
  encoder_.layers.resize(static_cast<size_t>(config_.encoder_layers));
  encoder_.heads = config_.encoder_attention_heads;
  decoder_.layers.resize(static_cast<size_t>(config_.decoder_layers));
  decoder_.heads = config_.decoder_attention_heads;
  load(slots());
  load({{"final_logits_bias", &final_logits_bias_, {1, config_.vocab_size}}});
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
  const auto add_half = [&](const std::string& name, BartHalf& half, int64_t inner,
                            bool is_decoder) {
    all.push_back({name + ".embed_positions.weight",
                   &half.positions,
                   {config_.max_position_embeddings + kPositionOffset, width}});
    for (size_t i = 0; i < half.layers.size(); ++i) {
      const std::string prefix = name + ".layers." + std::to_string(i) + ".";
      BartLayer& layer = half.layers[i];
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
    add_norm(all, name + ".layernorm_embedding", half.embedding_norm, width);
  };
  all.push_back({"model.shared.weight", &shared_, {config_.vocab_size, width}});
  add_half("model.encoder", encoder_, config_.encoder_ffn_dim, false);
  add_half("model.decoder", decoder_, config_.decoder_ffn_dim, true);
  return all;
}

NamedTensors Bart::parameters() const {
  return named_tensors(const_cast<Bart*>(this)->slots());
}

void Bart::grow_vocabulary(int64_t size, uint64_t seed) {
  const at::Tensor zeros = at::zeros({1, size - config_.vocab_size});
  config_.vocab_size = size;
  shared_ = with_new_rows(shared_, size, seed);
  final_logits_bias_ = at::cat({final_logits_bias_, zeros}, 1);
}

NamedTensors Bart::buffers() const {
  return {{"final_logits_bias", final_logits_bias_}};
}

OutputLayer Bart::output() const {
  return {shared_, final_logits_bias_[0]};
}

at::Tensor Bart::states(const TokenPairs& pairs, const PairDropoutKeys& keys) const {
  const Offsets& source_offsets = pairs.sources.offsets;
  const Offsets& offsets = pairs.decoder_inputs.offsets;
  const at::Tensor source = encode(pairs.sources, keys.source);
  at::Tensor x = embed(decoder_, pairs.decoder_inputs.ids, positions_in_rows(offsets), keys.target,
                       encoder_.layers.size());
  for (size_t i = 0; i < decoder_.layers.size(); ++i) {
    const size_t index = encoder_.layers.size() + i;
    const auto run = [this, i, index, offsets, source_offsets, keys](const auto& inputs) {
      const BartLayer& l = decoder_.layers[i];
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return packed_attention(q, k, v, offsets, offsets,
                                attention_settings(decoder_, index, false, true), keys.target);
      };
      const auto attend_source = [&](const at::Tensor& q) {
        const auto kv =
            linear_together(inputs[1], {&l.cross_attention.key, &l.cross_attention.value});
        return packed_attention(q, kv[0], kv[1], offsets, source_offsets,
                                attention_settings(decoder_, index, true, false), keys.target);
      };
      return layer(l, index, inputs[0], attend, attend_source, keys.target);
    };
    x = run_layer(run, {x, source});
  }
  return x;
}

at::Tensor Bart::encode(const TokenBatch& sources, const DropoutKeys& keys) const {
  const Offsets& offsets = sources.offsets;
  at::Tensor x = embed(encoder_, sources.ids, positions_in_rows(offsets), keys, 0);
  for (size_t i = 0; i < encoder_.layers.size(); ++i) {
    const auto run = [this, i, offsets, keys](const auto& inputs) {
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return packed_attention(q, k, v, offsets, offsets,
                                attention_settings(encoder_, i, false, false), keys);
      };
      return layer(encoder_.layers[i], i, inputs[0], attend, nullptr, keys);
    };
    x = run_layer(run, {x});
  }
  return x;
}

at::Tensor Bart::embed(const BartHalf& half, const std::vector<int64_t>& ids,
                       const std::vector<int64_t>& positions, const DropoutKeys& keys,
                       size_t layer) const {
  at::Tensor tokens = at::embedding(shared_, index_tensor(ids), config_.pad_token_id);
  if (config_.scale_embedding) tokens = tokens * std::sqrt(static_cast<double>(config_.d_model));
  const at::Tensor x =
      tokens + at::embedding(half.positions, index_tensor(positions) + kPositionOffset);
  return dropout(layer_norm(x, half.embedding_norm, kEpsilon), keys, config_.dropout,
                 dropout_site(layer, kEmbeddings));
}

at::Tensor Bart::layer(const BartLayer& l, size_t index, const at::Tensor& x,
                       const SelfAttention& attend, const CrossAttention& attend_source,
                       const DropoutKeys& keys) const {
  const double rate = config_.dropout;
  const AttentionMaps &self = l.self_attention, &cross = l.cross_attention;
  const auto qkv = linear_together(x, {&self.query, &self.key, &self.value});
  at::Tensor y =
      add_norm(without_bias(attend(qkv[0], qkv[1], qkv[2]), self.output), self.output.bias, x,
               l.self_norm, kEpsilon, keys, rate, dropout_site(index, kSelfOutput));
  if (attend_source) {
    y = add_norm(without_bias(attend_source(linear(y, cross.query)), cross.output),
                 cross.output.bias, y, l.cross_norm, kEpsilon, keys, rate,
                 dropout_site(index, kCrossOutput));
  }
  const at::Tensor inner =
      activation(without_bias(y, l.inner), l.inner.bias, config_.activation_function);
  const at::Tensor dropped =
      dropout(inner, keys, config_.activation_dropout, dropout_site(index, kInner));
  return add_norm(without_bias(dropped, l.output), l.output.bias, y, l.final_norm, kEpsilon, keys,
                  rate, dropout_site(index, kOutput));
}

AttentionSettings Bart::attention_settings(const BartHalf& half, size_t layer, bool is_cross,
                                           bool causal) const {
  const DropoutPlace place = is_cross ? kCrossProbabilities : kSelfProbabilities;
  return {half.heads, config_.attention_dropout, dropout_site(layer, place), {}, causal};
}

class BartDecoder : public Decoder {
 public:
  BartDecoder(const Bart& model, const TokenBatch& sources)
      : model_(model),
        cache_(sources.rows(), model.config_.decoder_layers, model.decoder_.heads,
               model.config_.d_model),
        source_(model.config_.decoder_layers, model.decoder_.heads) {
    const at::NoGradGuard no_grad;
    const at::Tensor encoded = model.encode(sources, {});
    for (size_t i = 0; i < model.decoder_.layers.size(); ++i) {
      const AttentionMaps& cross = model.decoder_.layers[i].cross_attention;
      const auto kv = linear_together(encoded, {&cross.key, &cross.value});
      source_.put(static_cast<int64_t>(i), kv[0], kv[1], sources.offsets);
    }
  }

  at::Tensor step(std::span<const int64_t> tokens) override {
    const at::NoGradGuard no_grad;
    const BartHalf& half = model_.decoder_;
    cache_.extend_by_one();
    const std::vector<int64_t> positions(tokens.size(), cache_.length(0) - 1);
    at::Tensor x = model_.embed(half, {tokens.begin(), tokens.end()}, positions, {}, 0);
    for (size_t i = 0; i < half.layers.size(); ++i) {
      const auto index = static_cast<int64_t>(i);
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return cache_.attend_to_new(index, q, k, v,
                                    model_.attention_settings(half, i, false, true));
      };
      const auto attend_source = [&](const at::Tensor& q) {
        return source_.attend(index, q, model_.attention_settings(half, i, true, false));
      };
      x = model_.layer(half.layers[i], i, x, attend, attend_source, {});
    }
    return x;
  }

  void select(std::span<const int64_t> rows) override {
    cache_.select(rows);
    source_.select(rows);
  }

 private:
  const Bart& model_;
  KeyValueCache cache_;
  SourceCache source_;
};

std::unique_ptr<Decoder> Bart::decode(const TokenBatch& sources) const {
  return std::make_unique<BartDecoder>(*this, sources);
}

}  // namespace rubric
