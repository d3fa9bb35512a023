#include "models/encoders/bert.h"

#include <algorithm>

#include "models/architecture.h"
#include "models/ops/device.h"
#include "models/ops/layers.h"

namespace rubric::models {

namespace {

// Where in the network a dropout mask is drawn; with the layer's index the site is unique.
enum BertDropoutSite : uint64_t { kEmbeddings, kProbabilities, kAttentionOutput, kOutput };

constexpr uint64_t bert_dropout_site(size_t layer, BertDropoutSite place) {
  return static_cast<uint64_t>(layer) * 4 + place;
}

// How far MPNet tells distances apart; transformers has both numbers in its code.
constexpr int64_t kMpnetBuckets = 32, kMpnetFarthest = 128;

constexpr BertNames kBertNames = {.layer = "encoder.layer.",
                                  .projection = "",
                                  .query = "attention.self.query",
                                  .key = "attention.self.key",
                                  .value = "attention.self.value",
                                  .attention_output = "attention.output.dense",
                                  .attention_norm = "attention.output.LayerNorm",
                                  .intermediate = "intermediate.dense",
                                  .output = "output.dense",
                                  .output_norm = "output.LayerNorm"};

constexpr BertNames kMpnetNames = [] {
  BertNames names = kBertNames;
  names.query = "attention.attn.q";
  names.key = "attention.attn.k";
  names.value = "attention.attn.v";
  names.attention_output = "attention.attn.o";
  names.attention_norm = "attention.LayerNorm";
  return names;
}();

constexpr BertNames kDistilBertNames = {.layer = "transformer.layer.",
                                        .projection = "",
                                        .query = "attention.q_lin",
                                        .key = "attention.k_lin",
                                        .value = "attention.v_lin",
                                        .attention_output = "attention.out_lin",
                                        .attention_norm = "sa_layer_norm",
                                        .intermediate = "ffn.lin1",
                                        .output = "ffn.lin2",
                                        .output_norm = "output_layer_norm"};

constexpr BertNames with_projection(const char* name) {
  BertNames names = kBertNames;
  names.projection = name;
  return names;
}
constexpr BertNames kElectraNames = with_projection("embeddings_project");
constexpr BertNames kRemBertNames = with_projection("encoder.embedding_hidden_mapping_in");
constexpr BertNames kBleurtNames = with_projection("encoder.embedding_projection");

// What config.json calls its fields.
struct FieldNames {
  const char *hidden_size, *layers, *heads, *intermediate_size, *activation;
  const char *dropout, *attention_dropout;
};
constexpr FieldNames kUsualFields = {.hidden_size = "hidden_size",
                                     .layers = "num_hidden_layers",
                                     .heads = "num_attention_heads",
                                     .intermediate_size = "intermediate_size",
                                     .activation = "hidden_act",
                                     .dropout = "hidden_dropout_prob",
                                     .attention_dropout = "attention_probs_dropout_prob"};
constexpr FieldNames kDistilBertFields = {.hidden_size = "dim",
                                          .layers = "n_layers",
                                          .heads = "n_heads",
                                          .intermediate_size = "hidden_dim",
                                          .activation = "activation",
                                          .dropout = "dropout",
                                          .attention_dropout = "attention_dropout"};

// What is of one kind alone. RoBERTa's padding is token 1 unless config.json says otherwise,
// MPNet's always; their positions are counted from the one behind that of padding.
void set_kind(ConfigFields& fields, const EncoderKind& kind, BertConfig& config) {
  config.names = &kBertNames;
  config.embedding_size = config.hidden_size;
  const bool counts_from_padding = &kind == &kRoberta || &kind == &kMpnet;
  if (counts_from_padding) config.pad_token_id = 1;
  if (&kind == &kMpnet) {
    config.names = &kMpnetNames;
    config.has_relative_positions = true;
  } else {
    config.pad_token_id = fields.token("pad_token_id", config.vocab_size, config.pad_token_id);
  }
  if (counts_from_padding) config.first_position = config.pad_token_id + 1;
  if (&kind == &kElectra) {
    config.names = &kElectraNames;
    config.embedding_size = fields.size("embedding_size", 128);
    config.is_projected = config.embedding_size != config.hidden_size;
  } else if (&kind == &kRemBert) {
    config.names = &kRemBertNames;
    config.embedding_size = fields.size("input_embedding_size", 256);
    config.is_projected = true;
  } else if (&kind == &kBleurt) {
    config.names = &kBleurtNames;
    config.embedding_size = fields.size("embedding_size", config.hidden_size);
    config.is_projected = fields.is_given("embedding_size");  // also to the width it has
  } else if (&kind == &kDistilBert) {
    config.names = &kDistilBertNames;
    config.drops_attention_output = false;
  }
}

// MPNet's number of buckets is in transformers' code.
void require_mpnet_buckets(ConfigFields& fields) {
  constexpr const char* kBuckets = "relative_attention_num_buckets";
  const int64_t buckets = fields.size(kBuckets, kMpnetBuckets);
  if (buckets == kMpnetBuckets) return;
  fields.refuse(std::string(kBuckets) + " is " + std::to_string(buckets) + ", not " +
                    std::to_string(kMpnetBuckets),
                kUsePublishedConfig);
}

EncoderFactory factory_of(ConfigFields& fields, const EncoderKind& kind) {
  return {[config = read_bert_config(fields, kind)](const ParameterLoader& load) {
    return std::make_unique<Bert>(config, load);
  }};
}

}  // namespace

Bert::Bert(BertConfig config, const ParameterLoader& load)
    : Encoder({.longest_row = config.longest_row(),
               .vocabulary_size = config.vocab_size,
               .segment_types = config.type_vocab_size,
               .layers = config.num_hidden_layers,
               .width = config.hidden_size}),
      config_(std::move(config)),
      layers_(static_cast<size_t>(config_.num_hidden_layers)) {
  load(slots());
}

ParameterSlots Bert::slots() {
  const int64_t hidden = config_.hidden_size, inner = config_.intermediate_size;
  const int64_t embedding = config_.embedding_size;
  const BertNames& names = *config_.names;
  ParameterSlots all;
  all.push_back(
      {"embeddings.word_embeddings.weight", &word_embeddings_, {config_.vocab_size, embedding}});
  all.push_back({"embeddings.position_embeddings.weight",
                 &position_embeddings_,
                 {config_.max_position_embeddings, embedding}});
  if (config_.type_vocab_size > 0) {
    all.push_back({"embeddings.token_type_embeddings.weight",
                   &token_type_embeddings_,
                   {config_.type_vocab_size, embedding}});
  }
  add_norm(all, "embeddings.LayerNorm", embedding_norm_, embedding);
  if (config_.is_projected) add_linear(all, names.projection, projection_, hidden, embedding);
  for (size_t i = 0; i < layers_.size(); ++i) {
    const std::string layer = names.layer + std::to_string(i) + ".";
    add_linear(all, layer + names.query, layers_[i].query, hidden, hidden);
    add_linear(all, layer + names.key, layers_[i].key, hidden, hidden);
    add_linear(all, layer + names.value, layers_[i].value, hidden, hidden);
    add_linear(all, layer + names.attention_output, layers_[i].attention_output, hidden, hidden);
    add_norm(all, layer + names.attention_norm, layers_[i].attention_norm, hidden);
    add_linear(all, layer + names.intermediate, layers_[i].intermediate, inner, hidden);
    add_linear(all, layer + names.output, layers_[i].output, hidden, inner);
    add_norm(all, layer + names.output_norm, layers_[i].output_norm, hidden);
  }
  if (config_.has_relative_positions) {
    // A bias that is looked up: it does not decay, and begins as weights do.
    all.push_back({.name = "encoder.relative_attention_bias.weight",
                   .tensor = &relative_attention_bias_,
                   .shape = {kMpnetBuckets, config_.num_attention_heads},
                   .decays = false});
  }
  return all;
}

void Bert::pack_weights(Packing packing) {
  pack_weight(projection_, packing);
  for (BertLayer& l : layers_) {
    for (Linear* map :
         {&l.query, &l.key, &l.value, &l.attention_output, &l.intermediate, &l.output}) {
      pack_weight(*map, packing);
    }
  }
}

// The forward pass.

at::Tensor Bert::cls_states(const PackedTokens& tokens, const DropoutKeys& keys) const {
  const at::Tensor bias = bias_of_scores(tokens.offsets);
  const at::Tensor x = run_layers(tokens, layers_.size() - 1, bias, keys);
  return last_layer_first(x, tokens.offsets, bias, keys);
}

at::Tensor Bert::visit_states(const PackedTokens& tokens, int64_t layer_number,
                              const DropoutKeys& keys, const StateVisitor& visit) const {
  return run_layers(tokens, static_cast<size_t>(layer_number), bias_of_scores(tokens.offsets), keys,
                    visit);
}

at::Tensor Bert::run_layers(const PackedTokens& tokens, size_t count, const at::Tensor& bias,
                            const DropoutKeys& keys, const StateVisitor& visit) const {
  at::Tensor x = embed(tokens, keys);
  for (size_t i = 0; i < count; ++i) {
    if (visit) visit(x);
    const auto run = [this, i, offsets = tokens.offsets, keys](const auto& inputs) {
      return layer(i, inputs[0], offsets, inputs.size() > 1 ? inputs[1] : at::Tensor(), keys);
    };
    std::vector<at::Tensor> inputs = {x};
    if (bias.defined()) inputs.push_back(bias);
    x = run_layer(run, inputs);
  }
  return x;
}

at::Tensor Bert::positions(const PackedTokens& tokens) const {
  std::vector<int64_t> positions(static_cast<size_t>(tokens.ids.numel()));
  const int64_t* const ids = tokens.ids.const_data_ptr<int64_t>();
  const bool counts_padding = config_.first_position == 0;
  for (size_t row = 0; row + 1 < tokens.offsets.size(); ++row) {
    int64_t next = config_.first_position;
    for (int64_t i = tokens.offsets[row]; i < tokens.offsets[row + 1]; ++i) {
      const bool counts = counts_padding || ids[i] != config_.pad_token_id;
      positions[static_cast<size_t>(i)] = counts ? next++ : config_.pad_token_id;
    }
  }
  return index_tensor(positions, position_embeddings_.device());
}

at::Tensor Bert::embed(const PackedTokens& tokens, const DropoutKeys& keys) const {
  const int64_t padding = config_.first_position > 0 ? config_.pad_token_id : -1;
  const at::Device device = word_embeddings_.device();
  at::Tensor x =
      at::embedding(word_embeddings_, on_device(tokens.ids, device), config_.pad_token_id) +
      at::embedding(position_embeddings_, positions(tokens), padding);
  if (config_.type_vocab_size == 1) {
    x = x + token_type_embeddings_;
  } else if (config_.type_vocab_size > 1) {
    x = x + at::embedding(token_type_embeddings_, on_device(tokens.token_type_ids, device));
  }
  x = dropout(layer_norm(x, embedding_norm_, config_.layer_norm_eps), keys,
              config_.hidden_dropout_prob, bert_dropout_site(layers_.size(), kEmbeddings));
  return config_.is_projected ? linear(x, projection_) : x;
}

at::Tensor Bert::bias_of_scores(const Offsets& offsets) const {
  if (!config_.has_relative_positions) return {};
  const int64_t reach = std::max<int64_t>(longest_row(offsets), 1) - 1;
  return relative_position_bias(relative_attention_bias_, reach, kMpnetFarthest,
                                /*bidirectional=*/true);
}

at::Tensor Bert::layer(size_t index, const at::Tensor& x, const Offsets& offsets,
                       const at::Tensor& bias, const DropoutKeys& keys) const {
  const BertLayer& l = layers_[index];
  const auto qkv = fused_linear(x, {&l.query, &l.key, &l.value});
  const at::Tensor context = packed_attention(qkv[0], qkv[1], qkv[2], offsets, offsets,
                                              attention_settings(index), keys, bias);
  return after_attention(index, x, context, keys);
}

at::Tensor Bert::last_layer_first(const at::Tensor& x, const Offsets& offsets,
                                  const at::Tensor& bias, const DropoutKeys& keys) const {
  const size_t last = layers_.size() - 1;
  const BertLayer& l = layers_[last];
  const at::Tensor indices =
      at::tensor(at::IntArrayRef(offsets.data(), offsets.size() - 1), at::kLong);
  Offsets one_each(offsets.size());
  for (size_t i = 0; i < one_each.size(); ++i) one_each[i] = static_cast<int64_t>(i);

  const at::Tensor first = x.index_select(0, on_device(indices, x.device()));
  const DropoutKeys first_keys = keys.select(indices);
  const auto kv = fused_linear(x, {&l.key, &l.value});
  const at::Tensor context = packed_attention(linear(first, l.query), kv[0], kv[1], one_each,
                                              offsets, attention_settings(last), first_keys, bias);
  return after_attention(last, first, context, first_keys);
}

// Everything of a layer behind attention works on each token alone.
at::Tensor Bert::after_attention(size_t index, const at::Tensor& x, const at::Tensor& context,
                                 const DropoutKeys& keys) const {
  const BertLayer& l = layers_[index];
  const double rate = config_.hidden_dropout_prob;
  const double epsilon = config_.layer_norm_eps;
  const at::Tensor attended =
      add_norm(without_bias(context, l.attention_output), l.attention_output.bias, x,
               l.attention_norm, epsilon, keys, config_.drops_attention_output ? rate : 0,
               bert_dropout_site(index, kAttentionOutput));
  const at::Tensor inner =
      activation(without_bias(attended, l.intermediate), l.intermediate.bias, config_.hidden_act);
  return add_norm(without_bias(inner, l.output), l.output.bias, attended, l.output_norm, epsilon,
                  keys, rate, bert_dropout_site(index, kOutput));
}

AttentionSettings Bert::attention_settings(size_t index) const {
  return {.heads = config_.num_attention_heads,
          .dropout_rate = config_.attention_probs_dropout_prob,
          .dropout_site = bert_dropout_site(index, kProbabilities),
          .rounded = layers_[index].query.int8 != nullptr};
}

BertConfig read_bert_config(ConfigFields& fields, const EncoderKind& kind) {
  if (&kind == &kMpnet) require_mpnet_buckets(fields);
  if (fields.flag("is_decoder", false)) {
    fields.refuse("is_decoder is true: the model reads from left to right only", "use an encoder");
  }
  fields.choice("position_embedding_type", "absolute", {"absolute"});
  const bool is_distilbert = &kind == &kDistilBert;
  const FieldNames& names = is_distilbert ? kDistilBertFields : kUsualFields;
  BertConfig config;
  config.vocab_size = fields.size("vocab_size");
  config.hidden_size = fields.size(names.hidden_size);
  config.num_hidden_layers = fields.layers(names.layers);
  config.num_attention_heads = fields.size(names.heads);
  config.intermediate_size = fields.size(names.intermediate_size);
  config.max_position_embeddings = fields.size("max_position_embeddings");
  // DistilBERT's sinusoidal_pos_embds says how positions begin; a checkpoint has them as they are.
  const bool has_segments = &kind != &kMpnet && !is_distilbert;
  config.type_vocab_size =
      has_segments ? fields.size("type_vocab_size", config.type_vocab_size) : 0;
  set_kind(fields, kind, config);
  if (config.longest_row() < 1) {
    fields.refuse("max_position_embeddings leaves no position behind that of padding",
                  kUsePublishedConfig);
  }
  if (!is_distilbert) config.layer_norm_eps = fields.fraction("layer_norm_eps", 1e-12);
  const double usual_dropout = &kind == &kRemBert ? 0 : 0.1;
  config.hidden_dropout_prob = fields.dropout(names.dropout, usual_dropout);
  config.attention_probs_dropout_prob = fields.dropout(names.attention_dropout, usual_dropout);
  config.hidden_act = fields.choice(names.activation, "gelu", {"gelu", "gelu_new", "relu"});
  if (config.hidden_size % config.num_attention_heads != 0) {
    fields.refuse(std::string(names.hidden_size) + " is not a multiple of " + names.heads,
                  kUsePublishedConfig);
  }
  return config;
}

template <>
EncoderFactory read_encoder<kBert>(ConfigFields& fields) {
  return factory_of(fields, kBert);
}

template <>
EncoderFactory read_encoder<kRoberta>(ConfigFields& fields) {
  return factory_of(fields, kRoberta);
}

template <>
EncoderFactory read_encoder<kMpnet>(ConfigFields& fields) {
  return factory_of(fields, kMpnet);
}

template <>
EncoderFactory read_encoder<kElectra>(ConfigFields& fields) {
  return factory_of(fields, kElectra);
}

template <>
EncoderFactory read_encoder<kDistilBert>(ConfigFields& fields) {
  return factory_of(fields, kDistilBert);
}

template <>
EncoderFactory read_encoder<kRemBert>(ConfigFields& fields) {
  return factory_of(fields, kRemBert);
}

template <>
EncoderFactory read_encoder<kBleurt>(ConfigFields& fields) {
  return factory_of(fields, kBleurt);
}

}  // namespace rubric::models
