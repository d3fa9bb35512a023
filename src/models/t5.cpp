#include "models/t5.h"

#include <algorithm>
#include <cmath>

#include "models/initial_weights.h"
#include "models/key_value_cache.h"

namespace rubric {
namespace {

// Where in the network a dropout mask is drawn; with the layer's index, the decoder's counted after
// the encoder's, the site is unique.
enum DropoutPlace : uint64_t {
  kEmbeddings,
  kSelfProbabilities,
  kSelfOutput,
  kCrossProbabilities,
  kCrossOutput,
  kInner,
  kFeedForwardOutput,
  kFinal
};

constexpr uint64_t dropout_site(size_t layer, DropoutPlace place) {
  return static_cast<uint64_t>(layer) * 8 + place;
}

// The bucket of each distance from key to query (Raffel et al. 2020, section 2.1;
// AttentionMaps._relative_position_bucket): exact up to a point, from there on by the logarithm, in
// the numbers of the published code.
at::Tensor distance_buckets(at::Tensor distances, int64_t buckets, int64_t farthest,
                            bool bidirectional) {
  at::Tensor offset = at::zeros_like(distances);
  if (bidirectional) {
    buckets /= 2;
    offset = (distances > 0).to(at::kLong) * buckets;
    distances = distances.abs();
  } else {
    distances = at::clamp_min(-distances, 0);
  }
  const int64_t exact = buckets / 2;
  const double range = std::log(static_cast<double>(farthest) / static_cast<double>(exact));
  const at::Tensor rounded =
      exact + (at::log(distances.to(at::kFloat) / exact) / range * (buckets - exact)).to(at::kLong);
  return offset + at::where(distances < exact, distances, at::clamp_max(rounded, buckets - 1));
}

}  // namespace

T5::T5(T5Config config, const ParameterLoader& load)
    : config_(std::move(config)),
      encoder_(static_cast<size_t>(config_.num_layers)),
      decoder_(static_cast<size_t>(config_.num_decoder_layers)) {
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
  const auto add_half = [&](const std::string& half, std::vector<T5Layer>& layers, at::Tensor& bias,
                            at::Tensor& final_norm, bool is_decoder) {
    for (size_t i = 0; i < layers.size(); ++i) {
      T5Layer& layer = layers[i];
      std::string name = half + ".block." + std::to_string(i) + ".layer.0.";
      add_attention(name + "SelfAttention", layer.self_attention);
      if (i == 0) {
        all.push_back({name + "SelfAttention.relative_attention_bias.weight",
                       &bias,
                       {config_.relative_attention_num_buckets, config_.num_heads}});
      }
      all.push_back({name + "layer_norm.weight", &layer.self_norm, {width}});
      if (is_decoder) {
        name.replace(name.size() - 2, 1, "1");
        add_attention(name + "EncDecAttention", layer.cross_attention);
        all.push_back({name + "layer_norm.weight", &layer.cross_norm, {width}});
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
      all.push_back({name + "layer_norm.weight", &layer.feed_forward_norm, {width}});
    }
    all.push_back({half + ".final_layer_norm.weight", &final_norm, {width}});
  };
  all.push_back({"shared.weight", &shared_, {config_.vocab_size, width}});
  add_half("encoder", encoder_, encoder_bias_, encoder_norm_, false);
  add_half("decoder", decoder_, decoder_bias_, decoder_norm_, true);
  if (!config_.tie_word_embeddings) {
    all.push_back({"lm_head.weight", &lm_head_, {config_.vocab_size, width}});
  }
  return all;
}

NamedTensors T5::parameters() const {
  return named_tensors(const_cast<T5*>(this)->slots());
}

void T5::grow_vocabulary(int64_t size, uint64_t seed) {
  config_.vocab_size = size;
  shared_ = with_new_rows(shared_, size, seed);
  if (lm_head_.defined()) lm_head_ = with_new_rows(lm_head_, size, seed);
}

OutputLayer T5::output() const {
  return {config_.tie_word_embeddings ? shared_ : lm_head_, {}};
}

at::Tensor T5::states(const TokenPairs& pairs, const PairDropoutKeys& keys) const {
  const Offsets& source_offsets = pairs.sources.offsets;
  const Offsets& offsets = pairs.decoder_inputs.offsets;
  const at::Tensor source = encode(pairs.sources, keys.source);
  const at::Tensor bias = distance_bias(decoder_bias_, longest_row(offsets), false);
  at::Tensor x = embed(pairs.decoder_inputs.ids, keys.target, encoder_.size());
  for (size_t i = 0; i < decoder_.size(); ++i) {
    const size_t index = encoder_.size() + i;
    const auto run = [this, i, index, offsets, source_offsets, keys](const auto& inputs) {
      const T5Layer& l = decoder_[i];
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return packed_attention(q, k, v, offsets, offsets, attention_settings(index, false, true),
                                keys.target, inputs[2]);
      };
      const auto attend_source = [&](const at::Tensor& q) {
        const auto kv =
            linear_together(inputs[1], {&l.cross_attention.key, &l.cross_attention.value});
        return packed_attention(q, kv[0], kv[1], offsets, source_offsets,
                                attention_settings(index, true, false), keys.target);
      };
      return layer(l, index, inputs[0], attend, attend_source, keys.target);
    };
    x = run_layer(run, {x, source, bias});
  }
  return output_states(x, keys.target);
}

at::Tensor T5::encode(const TokenBatch& sources, const DropoutKeys& keys) const {
  const Offsets& offsets = sources.offsets;
  const at::Tensor bias = distance_bias(encoder_bias_, longest_row(offsets), true);
  at::Tensor x = embed(sources.ids, keys, 0);
  for (size_t i = 0; i < encoder_.size(); ++i) {
    const auto run = [this, i, offsets, keys](const auto& inputs) {
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return packed_attention(q, k, v, offsets, offsets, attention_settings(i, false, false),
                                keys, inputs[1]);
      };
      return layer(encoder_[i], i, inputs[0], attend, nullptr, keys);
    };
    x = run_layer(run, {x, bias});
  }
  return dropout(rms_norm(x, encoder_norm_, config_.layer_norm_epsilon), keys, config_.dropout_rate,
                 dropout_site(encoder_.size() - 1, kFinal));
}

at::Tensor T5::embed(const std::vector<int64_t>& ids, const DropoutKeys& keys, size_t layer) const {
  return dropout(at::embedding(shared_, index_tensor(ids)), keys, config_.dropout_rate,
                 dropout_site(layer, kEmbeddings));
}

at::Tensor T5::layer(const T5Layer& l, size_t index, const at::Tensor& x,
                     const SelfAttention& attend, const CrossAttention& attend_source,
                     const DropoutKeys& keys) const {
  const double rate = config_.dropout_rate, epsilon = config_.layer_norm_epsilon;
  const AttentionMaps& self = l.self_attention;
  const auto qkv =
      linear_together(rms_norm(x, l.self_norm, epsilon), {&self.query, &self.key, &self.value});
  at::Tensor y = x + dropout(without_bias(attend(qkv[0], qkv[1], qkv[2]), self.output), keys, rate,
                             dropout_site(index, kSelfOutput));
  if (attend_source) {
    const AttentionMaps& cross = l.cross_attention;
    const at::Tensor q = without_bias(rms_norm(y, l.cross_norm, epsilon), cross.query);
    y = y + dropout(without_bias(attend_source(q), cross.output), keys, rate,
                    dropout_site(index, kCrossOutput));
  }
  return y + dropout(feed_forward(l, index, rms_norm(y, l.feed_forward_norm, epsilon), keys), keys,
                     rate, dropout_site(index, kFeedForwardOutput));
}

at::Tensor T5::feed_forward(const T5Layer& l, size_t index, const at::Tensor& x,
                            const DropoutKeys& keys) const {
  at::Tensor inner;
  if (config_.is_gated()) {
    const at::Tensor gate = without_bias(x, l.gate);
    inner = (config_.feed_forward_proj == "gated-gelu" ? at::gelu(gate, "tanh") : at::silu(gate)) *
            without_bias(x, l.up);
  } else {
    inner = at::relu(without_bias(x, l.up));
  }
  return without_bias(dropout(inner, keys, config_.dropout_rate, dropout_site(index, kInner)),
                      l.down);
}

at::Tensor T5::output_states(const at::Tensor& x, const DropoutKeys& keys) const {
  const size_t last = encoder_.size() + decoder_.size() - 1;
  const at::Tensor states = dropout(rms_norm(x, decoder_norm_, config_.layer_norm_epsilon), keys,
                                    config_.dropout_rate, dropout_site(last, kFinal));
  if (!config_.tie_word_embeddings) return states;
  return states * (1 / std::sqrt(static_cast<double>(config_.d_model)));
}

at::Tensor T5::distance_bias(const at::Tensor& weight, int64_t reach, bool bidirectional) const {
  const at::Tensor buckets = distance_buckets(
      at::arange(-reach, reach + 1, at::kLong), config_.relative_attention_num_buckets,
      config_.relative_attention_max_distance, bidirectional);
  return weight.index_select(0, buckets).t().contiguous();
}

AttentionSettings T5::attention_settings(size_t layer, bool is_cross, bool causal) const {
  const DropoutPlace place = is_cross ? kCrossProbabilities : kSelfProbabilities;
  return {config_.num_heads, config_.dropout_rate, dropout_site(layer, place), 1.0, causal};
}

class T5Decoder : public Decoder {
 public:
  T5Decoder(const T5& model, const TokenBatch& sources)
      : model_(model),
        cache_(sources.rows(), model.config_.num_decoder_layers, model.config_.num_heads,
               model.config_.inner_width()),
        source_(model.config_.num_decoder_layers, model.config_.num_heads) {
    const at::NoGradGuard no_grad;
    const at::Tensor encoded = model.encode(sources, {});
    for (size_t i = 0; i < model.decoder_.size(); ++i) {
      const AttentionMaps& cross = model.decoder_[i].cross_attention;
      const auto kv = linear_together(encoded, {&cross.key, &cross.value});
      source_.put(static_cast<int64_t>(i), kv[0], kv[1], sources.offsets);
    }
  }

  at::Tensor step(std::span<const int64_t> tokens) override {
    const at::NoGradGuard no_grad;
    cache_.extend_by_one();
    if (bias_.defined() && (bias_.size(1) - 1) / 2 < cache_.length(0)) bias_.reset();
    if (!bias_.defined()) {
      bias_ = model_.distance_bias(model_.decoder_bias_, 2 * cache_.length(0), false);
    }
    at::Tensor x = model_.embed({tokens.begin(), tokens.end()}, {}, 0);
    for (size_t i = 0; i < model_.decoder_.size(); ++i) {
      const auto index = static_cast<int64_t>(i);
      const size_t place = model_.encoder_.size() + i;
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return cache_.attend_to_new(index, q, k, v, model_.attention_settings(place, false, true),
                                    bias_);
      };
      const auto attend_source = [&](const at::Tensor& q) {
        return source_.attend(index, q, model_.attention_settings(place, true, false));
      };
      x = model_.layer(model_.decoder_[i], place, x, attend, attend_source, {});
    }
    return model_.output_states(x, {});
  }

  void select(std::span<const int64_t> rows) override {
    cache_.select(rows);
    source_.select(rows);
  }

 private:
  const T5& model_;
  KeyValueCache cache_;
  SourceCache source_;
  at::Tensor bias_;
};

std::unique_ptr<Decoder> T5::decode(const TokenBatch& sources) const {
  return std::make_unique<T5Decoder>(*this, sources);
}

}  // namespace rubric
