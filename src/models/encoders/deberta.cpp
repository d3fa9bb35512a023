#include "models/encoders/deberta.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "core/random.h"
#include "models/architecture.h"
#include "models/ops/device.h"
#include "models/ops/layers.h"

namespace rubric::models {

namespace {

// Where in the network a dropout mask is drawn; with the layer's index the site is unique.
enum DebertaDropoutSite : uint64_t {
  kDebertaProbabilities,
  kDebertaAttentionOutput,
  kDebertaOutput,
  kDebertaDistances,
  kDebertaEmbeddings,  // these two of the model, as if of one more layer
  kDebertaConvolution,
};

constexpr uint64_t deberta_site(size_t layer, DebertaDropoutSite place) {
  return static_cast<uint64_t>(layer) * 8 + place;
}

// The keys of the embeddings of distances, which a batch has one mask of: from its first token's.
DropoutKeys distance_keys(const DropoutKeys& keys, int64_t first, int64_t count) {
  if (!keys.enabled()) return {};
  const auto seed = static_cast<uint64_t>(keys.rows[0].item<int64_t>());
  std::vector<int64_t> of_distances;
  for (int64_t i = first; i < first + count; ++i) {
    of_distances.push_back(static_cast<int64_t>(mix(seed + static_cast<uint64_t>(i))));
  }
  return {index_tensor(of_distances)};
}

void read_distances(ConfigFields& fields, DebertaConfig& config) {
  for (const std::string& type : fields.words("pos_att_type", {"c2p", "p2c"})) {
    (type == "c2p" ? config.has_content_to_position : config.has_position_to_content) = true;
  }
  config.relative_attention = fields.flag("relative_attention", false);
  config.max_relative_positions = fields.size_or_none("max_relative_positions");
  if (config.max_relative_positions == 0) {
    config.max_relative_positions = config.max_position_embeddings;
  }
  if (config.is_v1) return;
  config.position_buckets = fields.size_or_none("position_buckets");
  if (config.position_buckets == 1 ||
      (config.position_buckets > 0 &&
       config.max_relative_positions <= config.position_buckets / 2 + 1)) {
    fields.refuse("position_buckets is " + std::to_string(config.position_buckets) + " for " +
                      std::to_string(config.max_relative_positions) + " relative positions",
                  kUsePublishedConfig);
  }
  config.share_att_key = fields.flag("share_att_key", false);
  config.norm_rel_ebd =
      std::ranges::count(fields.words("norm_rel_ebd", {"none", "layer_norm"}), "layer_norm") > 0;
}

void read_convolution(ConfigFields& fields, DebertaConfig& config) {
  config.conv_kernel_size = fields.size_or_none("conv_kernel_size");
  if (config.conv_kernel_size == 0) return;
  if (config.conv_kernel_size % 2 == 0) {
    fields.refuse("conv_kernel_size is " + std::to_string(config.conv_kernel_size) +
                      ", which gives no row of its length",
                  kUsePublishedConfig);
  }
  config.conv_groups = fields.size("conv_groups", 1);
  if (config.hidden_size % config.conv_groups != 0) {
    fields.refuse("hidden_size is not a multiple of conv_groups", kUsePublishedConfig);
  }
  config.conv_act = fields.choice("conv_act", "tanh", {"tanh", "gelu", "gelu_new", "relu"});
}

EncoderFactory factory_of(const DebertaConfig& config) {
  return {
      [config](const ParameterLoader& load) { return std::make_unique<Deberta>(config, load); }};
}

}  // namespace

DebertaConfig read_deberta_config(ConfigFields& fields, bool is_v1) {
  for (const char* const name : {"is_decoder", "talking_head"}) {
    if (fields.flag(name, false)) {
      fields.refuse(std::string(name) + " is true, which this version does not compute",
                    "use another model");
    }
  }
  DebertaConfig config;
  config.is_v1 = is_v1;
  config.vocab_size = fields.size("vocab_size");
  config.hidden_size = fields.size("hidden_size");
  config.num_hidden_layers = fields.layers("num_hidden_layers");
  config.num_attention_heads = fields.size("num_attention_heads");
  config.intermediate_size = fields.size("intermediate_size");
  config.max_position_embeddings = fields.size("max_position_embeddings");
  config.type_vocab_size = fields.size_or_none("type_vocab_size");
  config.embedding_size = fields.size("embedding_size", config.hidden_size);
  config.pad_token_id = fields.token("pad_token_id", config.vocab_size, 0);
  config.layer_norm_eps = fields.fraction("layer_norm_eps", 1e-7);
  config.hidden_dropout_prob = fields.dropout("hidden_dropout_prob", 0.1);
  config.attention_probs_dropout_prob = fields.dropout("attention_probs_dropout_prob", 0.1);
  config.hidden_act = fields.choice("hidden_act", "gelu", {"gelu", "gelu_new", "relu"});
  config.position_biased_input = fields.flag("position_biased_input", true);
  const int64_t heads = config.num_attention_heads;
  if (config.hidden_size % heads != 0 ||
      fields.size("attention_head_size", config.hidden_size / heads) * heads !=
          config.hidden_size) {
    fields.refuse("hidden_size is not num_attention_heads heads", kUsePublishedConfig);
  }
  read_distances(fields, config);
  if (!is_v1) read_convolution(fields, config);
  return config;
}

at::Tensor deberta_buckets(const DebertaConfig& config, int64_t reach) {
  const int64_t span = config.span();
  at::Tensor distances = at::arange(-reach, reach + 1, at::kLong);
  if (config.position_buckets > 0) {
    const int64_t exact = config.position_buckets / 2;
    const double farthest = static_cast<double>(config.max_relative_positions - 1);
    const at::Tensor range =
        at::log(at::scalar_tensor(farthest / static_cast<double>(exact), at::kFloat));
    const at::Tensor far = at::clamp_min(distances.abs(), exact).to(at::kFloat);
    const at::Tensor rounded = at::ceil(at::log(far / exact) / range * (exact - 1)) + exact;
    distances = at::where(distances.abs() <= exact, distances,
                          (rounded * at::sign(distances)).to(at::kLong));
  }
  return at::clamp(distances + span, 0, 2 * span - 1);
}

Deberta::Deberta(DebertaConfig config, const ParameterLoader& load)
    : Encoder({.longest_row = config.max_position_embeddings,
               .vocabulary_size = config.vocab_size,
               .segment_types = config.type_vocab_size,
               .layers = config.num_hidden_layers,
               .width = config.hidden_size}),
      config_(std::move(config)),
      layers_(static_cast<size_t>(config_.num_hidden_layers)) {
  load(slots());
}

ParameterSlots Deberta::slots() {
  const int64_t hidden = config_.hidden_size, inner = config_.intermediate_size;
  const int64_t size = config_.embedding_size;
  const bool has_vectors = config_.relative_attention && !config_.share_att_key;
  ParameterSlots all;
  const auto add_matrix = [&](const std::string& name, at::Tensor& weight, int64_t rows,
                              int64_t columns) {
    all.push_back({name + ".weight", &weight, {rows, columns}});
  };
  add_matrix("embeddings.word_embeddings", word_embeddings_, config_.vocab_size, size);
  if (config_.position_biased_input) {
    add_matrix("embeddings.position_embeddings", position_embeddings_,
               config_.max_position_embeddings, size);
  }
  if (config_.type_vocab_size > 0) {
    add_matrix("embeddings.token_type_embeddings", token_type_embeddings_, config_.type_vocab_size,
               size);
  }
  if (size != hidden) {
    add_matrix("embeddings.embed_proj", embedding_projection_.weight, hidden, size);
  }
  add_norm(all, "embeddings.LayerNorm", embedding_norm_, hidden);
  for (size_t i = 0; i < layers_.size(); ++i) {
    DebertaLayer& l = layers_[i];
    const std::string layer = "encoder.layer." + std::to_string(i) + ".";
    const std::string self = layer + "attention.self.";
    if (config_.is_v1) {
      add_bias(all, self + "q_bias", l.q_bias, hidden);
      add_bias(all, self + "v_bias", l.v_bias, hidden);
      add_matrix(self + "in_proj", l.in_proj.weight, 3 * hidden, hidden);
      if (has_vectors && config_.has_content_to_position) {
        add_matrix(self + "pos_proj", l.distance_key.weight, hidden, hidden);
      }
    } else {
      add_linear(all, self + "query_proj", l.query, hidden, hidden);
      add_linear(all, self + "key_proj", l.key, hidden, hidden);
      add_linear(all, self + "value_proj", l.value, hidden, hidden);
      if (has_vectors && config_.has_content_to_position) {
        add_linear(all, self + "pos_key_proj", l.distance_key, hidden, hidden);
      }
    }
    if (has_vectors && config_.has_position_to_content) {
      add_linear(all, self + (config_.is_v1 ? "pos_q_proj" : "pos_query_proj"), l.distance_query,
                 hidden, hidden);
    }
    add_linear(all, layer + "attention.output.dense", l.attention_output, hidden, hidden);
    add_norm(all, layer + "attention.output.LayerNorm", l.attention_norm, hidden);
    add_linear(all, layer + "intermediate.dense", l.intermediate, inner, hidden);
    add_linear(all, layer + "output.dense", l.output, hidden, inner);
    add_norm(all, layer + "output.LayerNorm", l.output_norm, hidden);
  }
  if (config_.relative_attention) {
    add_matrix("encoder.rel_embeddings", distance_embeddings_, 2 * config_.span(), hidden);
  }
  if (config_.norm_rel_ebd) add_norm(all, "encoder.LayerNorm", distance_norm_, hidden);
  if (config_.conv_kernel_size > 0) {
    all.push_back({"encoder.conv.conv.weight",
                   &convolution_,
                   {hidden, hidden / config_.conv_groups, config_.conv_kernel_size}});
    add_bias(all, "encoder.conv.conv.bias", convolution_bias_, hidden);
    add_norm(all, "encoder.conv.LayerNorm", convolution_norm_, hidden);
  }
  return all;
}

void Deberta::pack_weights(Packing packing) {
  if (config_.relative_attention && vectors_.empty()) {
    const at::NoGradGuard no_grad;
    const at::Tensor embeddings = distance_embeddings();
    for (const DebertaLayer& l : layers_) vectors_.push_back(project_distances(l, embeddings));
  }
  for (DebertaLayer& l : layers_) {
    for (Linear* map : {&l.in_proj, &l.query, &l.key, &l.value, &l.distance_key, &l.distance_query,
                        &l.attention_output, &l.intermediate, &l.output}) {
      pack_weight(*map, packing);
    }
  }
}

// The forward pass.

at::Tensor Deberta::visit_states(const PackedTokens& tokens, int64_t layer_number,
                                 const DropoutKeys& keys, const StateVisitor& visit) const {
  return run_layers(tokens, static_cast<size_t>(layer_number), distances(tokens.offsets, keys),
                    keys, visit);
}

at::Tensor Deberta::run_layers(const PackedTokens& tokens, size_t count, const Distances& distances,
                               const DropoutKeys& keys, const StateVisitor& visit) const {
  at::Tensor x = embed(tokens, keys);
  for (size_t i = 0; i < count; ++i) {
    if (visit) visit(x);
    const auto run = [this, i, offsets = tokens.offsets, distances, keys](const auto& inputs) {
      Distances inputs_of_layer = distances;
      if (inputs.size() > 1) inputs_of_layer.embeddings = inputs[1];
      return layer(i, inputs[0], offsets, inputs_of_layer, keys);
    };
    std::vector<at::Tensor> inputs = {x};
    if (distances.embeddings.defined()) inputs.push_back(distances.embeddings);
    x = run_layer(run, inputs);
  }
  return x;
}

at::Tensor Deberta::cls_states(const PackedTokens& tokens, const DropoutKeys& keys) const {
  const Offsets& offsets = tokens.offsets;
  const at::Tensor indices =
      at::tensor(at::IntArrayRef(offsets.data(), offsets.size() - 1), at::kLong);
  const at::Tensor on_model = on_device(indices, device());
  const size_t last = layers_.size() - 1;
  if (last == 0 && config_.conv_kernel_size > 0) {
    return hidden_states(tokens, 1, keys).index_select(0, on_model);
  }
  const Distances of_tokens = distances(offsets, keys);
  const at::Tensor x = run_layers(tokens, last, of_tokens, keys);

  Offsets one_each(offsets.size());
  for (size_t i = 0; i < one_each.size(); ++i) one_each[i] = static_cast<int64_t>(i);
  const DebertaLayer& l = layers_[last];
  const at::Tensor first = x.index_select(0, on_model);
  const DropoutKeys first_keys = keys.select(indices);
  Projections all;
  if (config_.is_v1) {
    all = project_tokens(l, x);
    all.q = all.q.index_select(0, on_model);
  } else {
    const auto kv = fused_linear(x, {&l.key, &l.value});
    all = {linear(first, l.query), kv[0], kv[1]};
  }
  const at::Tensor context =
      packed_attention(all.q, all.k, all.v, one_each, offsets, attention_settings(last), first_keys,
                       {}, vectors(last, of_tokens));
  return after_attention(last, first, context, first_keys);
}

at::Tensor Deberta::embed(const PackedTokens& tokens, const DropoutKeys& keys) const {
  at::Tensor x =
      at::embedding(word_embeddings_, on_device(tokens.ids, device()), config_.pad_token_id);
  if (config_.position_biased_input) {
    const at::Tensor positions = index_tensor(positions_in_rows(tokens.offsets), device());
    x = x + at::embedding(position_embeddings_, positions);
  }
  if (config_.type_vocab_size == 1) {
    x = x + token_type_embeddings_;
  } else if (config_.type_vocab_size > 1) {
    x = x + at::embedding(token_type_embeddings_, on_device(tokens.token_type_ids, device()));
  }
  if (embedding_projection_.weight.defined()) x = linear(x, embedding_projection_);
  return dropout(layer_norm(x, embedding_norm_, config_.layer_norm_eps), keys,
                 config_.hidden_dropout_prob, deberta_site(layers_.size(), kDebertaEmbeddings));
}

at::Tensor Deberta::distance_embeddings() const {
  return config_.norm_rel_ebd
             ? layer_norm(distance_embeddings_, distance_norm_, config_.layer_norm_eps)
             : distance_embeddings_;
}

Deberta::Distances Deberta::distances(const Offsets& offsets, const DropoutKeys& keys) const {
  const bool has_terms = config_.has_content_to_position || config_.has_position_to_content;
  if (!config_.relative_attention || !has_terms) return {};
  const at::Tensor buckets =
      deberta_buckets(config_, std::max<int64_t>(longest_row(offsets), 1) - 1);
  if (!vectors_.empty()) return {buckets, {}, {}};
  const int64_t first = buckets[0].item<int64_t>();
  const int64_t count = buckets[-1].item<int64_t>() + 1 - first;
  return {buckets - first, distance_embeddings().narrow(0, first, count),
          distance_keys(keys, first, count)};
}

DistanceVectors Deberta::vectors(size_t index, const Distances& distances) const {
  if (!distances.buckets.defined()) return {};
  DistanceVectors vectors =
      distances.embeddings.defined()
          ? project_distances(layers_[index], dropout(distances.embeddings, distances.keys,
                                                      config_.hidden_dropout_prob,
                                                      deberta_site(index, kDebertaDistances)))
          : vectors_[index];
  vectors.buckets = distances.buckets;
  return vectors;
}

DistanceVectors Deberta::project_distances(const DebertaLayer& layer,
                                           const at::Tensor& embeddings) const {
  const bool is_shared = config_.share_att_key;
  DistanceVectors vectors;
  if (config_.has_content_to_position) {
    vectors.keys = linear(embeddings, is_shared ? layer.key : layer.distance_key);
  }
  if (config_.has_position_to_content) {
    vectors.queries = linear(embeddings, is_shared ? layer.query : layer.distance_query);
  }
  return vectors;
}

Deberta::Projections Deberta::project_tokens(const DebertaLayer& layer, const at::Tensor& x) const {
  if (!config_.is_v1) {
    const auto qkv = fused_linear(x, {&layer.query, &layer.key, &layer.value});
    return {qkv[0], qkv[1], qkv[2]};
  }
  const int64_t heads = config_.num_attention_heads;
  const at::Tensor qkv =
      without_bias(x, layer.in_proj).view({x.size(0), heads, 3, config_.hidden_size / heads});
  const auto part = [&](int64_t i) { return qkv.select(2, i).reshape(x.sizes()); };
  return {part(0) + layer.q_bias, part(1), part(2) + layer.v_bias};
}

at::Tensor Deberta::layer(size_t index, const at::Tensor& x, const Offsets& offsets,
                          const Distances& distances, const DropoutKeys& keys) const {
  const Projections all = project_tokens(layers_[index], x);
  const at::Tensor context =
      packed_attention(all.q, all.k, all.v, offsets, offsets, attention_settings(index), keys, {},
                       vectors(index, distances));
  const at::Tensor out = after_attention(index, x, context, keys);
  return index == 0 && config_.conv_kernel_size > 0 ? convolve(x, out, offsets, keys) : out;
}

// Everything of a layer behind attention works on each token alone.
at::Tensor Deberta::after_attention(size_t index, const at::Tensor& x, const at::Tensor& context,
                                    const DropoutKeys& keys) const {
  const DebertaLayer& l = layers_[index];
  const double rate = config_.hidden_dropout_prob, epsilon = config_.layer_norm_eps;
  const at::Tensor attended =
      add_norm(without_bias(context, l.attention_output), l.attention_output.bias, x,
               l.attention_norm, epsilon, keys, rate, deberta_site(index, kDebertaAttentionOutput));
  const at::Tensor inner =
      activation(without_bias(attended, l.intermediate), l.intermediate.bias, config_.hidden_act);
  return add_norm(without_bias(inner, l.output), l.output.bias, attended, l.output_norm, epsilon,
                  keys, rate, deberta_site(index, kDebertaOutput));
}

// Between the rows lie as many zeros as the kernel sees of a neighbour.
at::Tensor Deberta::convolve(const at::Tensor& x, const at::Tensor& residual,
                             const Offsets& offsets, const DropoutKeys& keys) const {
  const int64_t gap = config_.conv_kernel_size / 2, rows = std::ssize(offsets) - 1;
  std::vector<int64_t> places;
  for (int64_t row = 0; row < rows; ++row) {
    const auto at = static_cast<size_t>(row);
    for (int64_t i = offsets[at]; i < offsets[at + 1]; ++i) places.push_back(i + row * gap);
  }
  const at::Tensor index = index_tensor(places, x.device());
  const at::Tensor apart = at::zeros({x.size(0) + (rows + 1) * gap, x.size(1)}, x.options())
                               .index_copy(0, index + gap, x);
  const at::Tensor convolved = at::conv1d(apart.t().unsqueeze(0), convolution_, convolution_bias_,
                                          /*stride=*/{1}, /*padding=*/at::IntArrayRef{0},
                                          /*dilation=*/{1}, config_.conv_groups)
                                   .squeeze(0)
                                   .t()
                                   .index_select(0, index);
  const at::Tensor dropped = dropout(convolved, keys, config_.hidden_dropout_prob,
                                     deberta_site(layers_.size(), kDebertaConvolution));
  const at::Tensor active =
      config_.conv_act == "tanh"
          ? at::tanh(dropped)
          : activation(dropped, at::zeros({x.size(1)}, x.options()), config_.conv_act);
  return layer_norm(residual + active, convolution_norm_, config_.layer_norm_eps);
}

AttentionSettings Deberta::attention_settings(size_t index) const {
  // As upstream, also where nothing is added for distances.
  const int64_t terms =
      1 + (config_.has_content_to_position ? 1 : 0) + (config_.has_position_to_content ? 1 : 0);
  return {.heads = config_.num_attention_heads,
          .dropout_rate = config_.attention_probs_dropout_prob,
          .dropout_site = deberta_site(index, kDebertaProbabilities),
          .scale = reciprocal_root(config_.hidden_size / config_.num_attention_heads * terms),
          .rounded = layers_[index].attention_output.int8 != nullptr};
}

template <>
EncoderFactory read_encoder<kDeberta>(ConfigFields& fields) {
  return factory_of(read_deberta_config(fields, /*is_v1=*/true));
}

template <>
EncoderFactory read_encoder<kDebertaV2>(ConfigFields& fields) {
  return factory_of(read_deberta_config(fields, /*is_v1=*/false));
}

}  // namespace rubric::models
