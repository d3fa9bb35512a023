#include "models/causal/llama.h"

#include <algorithm>
#include <cmath>

#include "data/model_files/llama_kind.h"
#include "models/architecture.h"
#include "models/ops/device.h"

namespace rubric::models {

namespace {

// Where a dropout mask is drawn; with the layer's index the site is unique.
enum class LlamaDropout : uint64_t { embeddings, probabilities, attention_output, output };

constexpr uint64_t llama_dropout_site(size_t layer, LlamaDropout place) {
  return static_cast<uint64_t>(layer) * 4 + static_cast<uint64_t>(place);
}

}  // namespace

Llama::Llama(LlamaConfig config, const ParameterLoader& load)
    : config_(std::move(config)), rotary_(config_.rotary), layers_(config_.layers.size()) {
  if (std::ranges::any_of(config_.layers, &LlamaAttention::is_local)) {
    local_rotary_.emplace(config_.local_rotary);
  }
  load(slots());
}

ParameterSlots Llama::slots() {
  const LlamaConfig& c = config_;
  const int64_t width = c.hidden_size, inner = c.intermediate_size;
  const int64_t of_queries = c.num_attention_heads * c.head_dim;
  const int64_t of_keys = c.num_key_value_heads * c.head_dim;
  ParameterSlots all;
  const auto add_norm_of = [&](const std::string& name, at::Tensor& weight, int64_t size) {
    add_norm_weight(all, name + ".weight", weight, size);
    if (c.has_norms_from_zero) all.back().start = StartValue::zeros;
  };
  const auto add_map = [&](const std::string& name, Linear& map, int64_t out, int64_t in,
                           bool has_bias) {
    all.push_back(
        {.name = name + ".weight", .tensor = &map.weight, .shape = {out, in}, .map = &map});
    if (has_bias) add_bias(all, name + ".bias", map.bias, out);
  };
  all.push_back({"model.embed_tokens.weight", &word_embeddings_, {c.vocab_size, width}});
  for (size_t i = 0; i < layers_.size(); ++i) {
    const std::string name = "model.layers." + std::to_string(i) + ".";
    const std::string attention = name + "self_attn.", mlp = name + "mlp.";
    LlamaLayer& l = layers_[i];
    if (c.has_joined_maps) {
      add_map(attention + "o_proj", l.attention_output, width, of_queries, c.has_output_bias);
      add_map(attention + "qkv_proj", l.joined, of_queries + 2 * of_keys, width, c.has_query_bias);
      add_map(mlp + "gate_up_proj", l.gate_up, 2 * inner, width, c.has_mlp_bias);
    } else {
      add_map(attention + "q_proj", l.query, of_queries, width, c.has_query_bias);
      add_map(attention + "k_proj", l.key, of_keys, width, c.has_query_bias);
      add_map(attention + "v_proj", l.value, of_keys, width, c.has_query_bias);
      add_map(attention + "o_proj", l.attention_output, width, of_queries, c.has_output_bias);
      if (c.has_query_norms) {
        add_norm_of(attention + "q_norm", l.query_norm, c.head_dim);
        add_norm_of(attention + "k_norm", l.key_norm, c.head_dim);
      }
      add_map(mlp + "gate_proj", l.gate, inner, width, c.has_mlp_bias);
      add_map(mlp + "up_proj", l.up, inner, width, c.has_mlp_bias);
    }
    add_map(mlp + "down_proj", l.down, width, inner, c.has_mlp_bias);
    add_norm_of(name + "input_layernorm", l.attention_norm, width);
    if (c.has_norms_behind) {
      add_norm_of(name + "post_attention_layernorm", l.behind_attention_norm, width);
      add_norm_of(name + "pre_feedforward_layernorm", l.feed_forward_norm, width);
      add_norm_of(name + "post_feedforward_layernorm", l.behind_feed_forward_norm, width);
    } else {
      add_norm_of(name + "post_attention_layernorm", l.feed_forward_norm, width);
    }
  }
  add_norm_of("model.norm", final_norm_, width);
  if (!c.tie_word_embeddings) {
    all.push_back({"lm_head.weight", &lm_head_, {c.vocab_size, width}});
  }
  return all;
}

void Llama::resize_vocabulary(int64_t size, uint64_t seed) {
  config_.vocab_size = size;
  word_embeddings_ = resized_embedding(word_embeddings_, size, seed);
  if (lm_head_.defined()) lm_head_ = resized_embedding(lm_head_, size, seed);
}

Linear Llama::output_layer() const {
  return {config_.tie_word_embeddings ? word_embeddings_ : lm_head_, {}};
}

void Llama::pack_layers(Packing packing) {
  for (LlamaLayer& l : layers_) {
    for (Linear* map : {&l.query, &l.key, &l.value, &l.joined, &l.attention_output, &l.gate, &l.up,
                        &l.gate_up, &l.down}) {
      pack_weight(*map, packing);
    }
  }
}

KeyValueCache Llama::new_cache(int64_t rows) const {
  return {rows, std::ssize(layers_), config_.num_key_value_heads,
          config_.num_key_value_heads * config_.head_dim};
}

AttentionSettings Llama::attention_settings(size_t layer) const {
  return {.heads = config_.num_attention_heads,
          .dropout_rate = config_.attention_dropout,
          .dropout_site = llama_dropout_site(layer, LlamaDropout::probabilities),
          .scale = config_.attention_scale,
          .causal = true,
          .window = config_.layers[layer].window,
          .key_heads = config_.num_key_value_heads};
}

void Llama::add_angles(const Offsets& offsets, CausalTokens& tokens) const {
  const at::Device device = word_embeddings_.device();
  tokens.angles = rotary_.angles(offsets, device);
  if (local_rotary_) tokens.local_angles = local_rotary_->angles(offsets, device);
}

void Llama::add_last_angles(std::span<const int64_t> lengths, CausalTokens& tokens) const {
  const at::Device device = word_embeddings_.device();
  tokens.angles = rotary_.last_angles(lengths, device);
  if (local_rotary_) tokens.local_angles = local_rotary_->last_angles(lengths, device);
}

at::Tensor Llama::norm(const at::Tensor& x, const at::Tensor& weight) const {
  return rms_norm(x, config_.has_norms_from_zero ? weight + 1 : weight, config_.rms_norm_eps);
}

at::Tensor Llama::norm_heads(const at::Tensor& x, const at::Tensor& weight) const {
  if (!weight.defined()) return x;
  return norm(x.reshape({-1, config_.head_dim}).contiguous(), weight).view(x.sizes());
}

at::Tensor Llama::embed(const CausalTokens& tokens, const DropoutKeys& keys) const {
  at::Tensor x =
      at::embedding(word_embeddings_, index_tensor(tokens.ids, word_embeddings_.device()));
  if (config_.embedding_scale != 1) x = x * config_.embedding_scale;
  return dropout(x, keys, config_.embd_pdrop,
                 llama_dropout_site(layers_.size(), LlamaDropout::embeddings));
}

at::Tensor Llama::layer(size_t index, const at::Tensor& x, const CausalTokens& tokens,
                        const SelfAttention& attend, const DropoutKeys& keys) const {
  const LlamaLayer& l = layers_[index];
  const int64_t heads = config_.num_attention_heads, key_heads = config_.num_key_value_heads;
  const RotaryAngles& angles = config_.layers[index].is_local ? tokens.local_angles : tokens.angles;
  const auto added = [&](const at::Tensor& y, const at::Tensor& norm_behind, LlamaDropout place) {
    return dropout(norm_behind.defined() ? norm(y, norm_behind) : y, keys, config_.resid_pdrop,
                   llama_dropout_site(index, place));
  };
  const at::Tensor normed = norm(x, l.attention_norm);
  const int64_t of_keys = key_heads * config_.head_dim;
  const auto qkv = config_.has_joined_maps
                       ? linear(normed, l.joined)
                             .split_with_sizes({heads * config_.head_dim, of_keys, of_keys}, 1)
                       : fused_linear(normed, {&l.query, &l.key, &l.value});
  const at::Tensor q = rotate(norm_heads(qkv[0], l.query_norm), heads, angles);
  const at::Tensor k = rotate(norm_heads(qkv[1], l.key_norm), key_heads, angles);
  const at::Tensor y = x + added(linear(attend(q, k, qkv[2]), l.attention_output),
                                 l.behind_attention_norm, LlamaDropout::attention_output);
  return y + added(feed_forward(l, norm(y, l.feed_forward_norm)), l.behind_feed_forward_norm,
                   LlamaDropout::output);
}

at::Tensor Llama::feed_forward(const LlamaLayer& l, const at::Tensor& x) const {
  const auto gate_up = config_.has_joined_maps ? linear(x, l.gate_up).chunk(2, 1)
                                               : fused_linear(x, {&l.gate, &l.up});
  return linear(activation(gate_up[0], config_.hidden_act) * gate_up[1], l.down);
}

namespace {

// What read_rotary() takes of a configuration besides the fields of the scaling.
struct RotaryContext {
  const char* base_name;  // of the field, where the scaling has none
  double base;
  int64_t head_dim, positions;
  std::optional<int64_t> trained_positions;  // Phi-3's original_max_position_embeddings
  bool is_phi3;
};

RotaryScaling read_scaling(ConfigFields& fields, bool is_phi3) {
  const char* const key = fields.is_given("rope_type") ? "rope_type" : "type";
  if (is_phi3) {  // "su" and "yarn" are earlier names of it
    return fields.choice(key, "default", {"default", "longrope", "su", "yarn"}) == "default"
               ? RotaryScaling::none
               : RotaryScaling::longrope;
  }
  const std::string type =
      fields.choice(key, "default", {"default", "linear", "dynamic", "yarn", "llama3", "longrope"});
  if (type == "linear") return RotaryScaling::linear;
  if (type == "dynamic") return RotaryScaling::dynamic;
  if (type == "yarn") return RotaryScaling::yarn;
  if (type == "llama3") return RotaryScaling::llama3;
  return type == "longrope" ? RotaryScaling::longrope : RotaryScaling::none;
}

// The fields that each kind of scaling may have besides its type, and those that say nothing new.
std::vector<std::string> fields_of(RotaryScaling scaling) {
  constexpr const char* kTrained = "original_max_position_embeddings";
  std::vector<std::string> names = {"rope_type", "type", "rope_theta", "partial_rotary_factor",
                                    kTrained};
  const auto add = [&](std::initializer_list<const char*> more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  if (scaling != RotaryScaling::none) add({"factor"});
  if (scaling == RotaryScaling::llama3) add({"low_freq_factor", "high_freq_factor"});
  if (scaling == RotaryScaling::longrope) add({"short_factor", "long_factor", "attention_factor"});
  if (scaling == RotaryScaling::yarn) {
    add({"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"});
  }
  return names;
}

void read_attention_factor(ConfigFields& fields, RotarySettings& s) {
  s.attention_factor = default_attention_factor(s);
  if (s.scaling != RotaryScaling::yarn && s.scaling != RotaryScaling::longrope) return;
  const bool has_scales = fields.is_given("mscale") && fields.is_given("mscale_all_dim");
  if (fields.is_given("attention_factor")) {
    s.attention_factor = fields.positive("attention_factor");
  } else if (has_scales && s.factor > 1) {
    const auto scaled = [&](const char* name) {
      return 0.1 * fields.positive(name) * std::log(s.factor) + 1;
    };
    s.attention_factor = scaled("mscale") / scaled("mscale_all_dim");
  }
}

// `fields` are those of rope_scaling or rope_parameters.
void read_scaling_factors(ConfigFields& fields, const RotaryContext& context, RotarySettings& s) {
  s.scaling = read_scaling(fields, context.is_phi3);
  fields.refuse_all_but(fields_of(s.scaling));
  if (s.scaling == RotaryScaling::none) return;
  s.positions = context.positions;
  if (s.scaling == RotaryScaling::longrope && context.trained_positions) {
    s.positions = *context.trained_positions;
  } else if (s.scaling != RotaryScaling::dynamic && s.scaling != RotaryScaling::linear) {
    s.positions = fields.size("original_max_position_embeddings", s.positions);
    if (context.trained_positions.value_or(s.positions) != s.positions) {
      fields.refuse("original_max_position_embeddings is " +
                        std::to_string(*context.trained_positions) + " beside a scaling that has " +
                        std::to_string(s.positions) +
                        ": transformers 4 takes the second, transformers 5 the first",
                    "let both be what the model was trained with");
    }
  }
  if (s.scaling == RotaryScaling::longrope) {
    const auto ratio = static_cast<double>(context.positions) / static_cast<double>(s.positions);
    s.factor = context.trained_positions ? ratio : fields.positive("factor", ratio);
    s.short_factors = fields.positives("short_factor", s.size / 2);
    s.long_factors = fields.positives("long_factor", s.size / 2);
  } else {
    s.factor = fields.positive("factor");
  }
  if (s.scaling == RotaryScaling::llama3) {
    s.low_frequency_factor = fields.positive("low_freq_factor");
    s.high_frequency_factor = fields.positive("high_freq_factor");
  }
  if (s.scaling == RotaryScaling::yarn) {
    s.beta_fast = fields.positive("beta_fast", 32);
    s.beta_slow = fields.positive("beta_slow", 1);
    s.truncate = fields.flag("truncate", true);
  }
  read_attention_factor(fields, s);
}

// `scaling` is rope_scaling or, of transformers 5, rope_parameters, which has the base, too.
RotarySettings read_rotary(ConfigFields& fields, std::optional<ConfigFields> scaling,
                           const RotaryContext& context) {
  RotarySettings s{.size = context.head_dim};
  const auto positive = [&](const char* name, const char* of_scaling, double otherwise) {
    return scaling && scaling->is_given(of_scaling) ? scaling->positive(of_scaling)
                                                    : fields.positive(name, otherwise);
  };
  s.base = positive(context.base_name, "rope_theta", context.base);
  const double part = positive("partial_rotary_factor", "partial_rotary_factor", 1);
  s.size = static_cast<int64_t>(static_cast<double>(context.head_dim) * part);
  if (part > 1 || s.size < 2 || s.size % 2 != 0) {
    fields.refuse("of a head's " + std::to_string(context.head_dim) + " numbers " +
                      std::to_string(s.size) + " are turned by their position",
                  kUsePublishedConfig);
  }
  if (scaling) {
    read_scaling_factors(*scaling, context, s);
    fields.note(*scaling);
  }
  return s;
}

// Which layers see a window only.
void read_windows(ConfigFields& fields, const std::string& type, LlamaConfig& config) {
  constexpr const char *kLocal = "sliding_attention", *kGlobal = "full_attention";
  const bool is_qwen = type == data::kQwen2.name || type == data::kQwen3.name,
             is_gemma = type == data::kGemma3.name;
  const auto layers = std::ssize(config.layers);
  const std::optional<int64_t> usual = type == data::kPhi3.name || type == data::kLlama.name
                                           ? std::nullopt
                                           : std::optional<int64_t>(4096);
  // A null means no window; a missing field means the usual one.
  const bool names_window =
      fields.has("sliding_window") ? fields.is_given("sliding_window") : usual.has_value();
  const bool has_window = names_window && (!is_qwen || fields.flag("use_sliding_window", false));
  if (type == data::kLlama.name || (!has_window && !is_gemma)) return;
  const int64_t window = fields.size("sliding_window", usual);
  std::vector<std::string> types;  // of Mistral and Phi-3 all layers have the window
  if (is_qwen || is_gemma) types = fields.choices("layer_types", layers, {kLocal, kGlobal});
  if (types.empty()) {
    const int64_t first = is_qwen ? fields.count("max_window_layers", 28) : 0;
    const int64_t period = is_gemma ? fields.size("sliding_window_pattern", 6) : layers + 1;
    for (int64_t i = 0; i < layers; ++i) {
      types.emplace_back(i >= first && (i + 1) % period != 0 ? kLocal : kGlobal);
    }
  }
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] != kLocal) continue;
    config.layers[i] = {.window = window - 1, .is_local = is_gemma};  // its own token counts
  }
}

}  // namespace

LlamaConfig read_llama_config(ConfigFields& fields) {
  const std::string type = fields.model_type();
  const bool is_gemma = type == data::kGemma3.name, is_qwen3 = type == data::kQwen3.name,
             is_phi3 = type == data::kPhi3.name;
  LlamaConfig config;
  config.vocab_size = fields.size("vocab_size");
  config.hidden_size = fields.size("hidden_size");
  config.intermediate_size = fields.size("intermediate_size");
  config.layers.resize(static_cast<size_t>(fields.layers("num_hidden_layers")));
  config.num_attention_heads = fields.size("num_attention_heads");
  config.num_key_value_heads = fields.size(
      "num_key_value_heads", type == data::kMistral.name && !fields.has("num_key_value_heads")
                                 ? 8
                                 : config.num_attention_heads);
  if (config.num_attention_heads % config.num_key_value_heads != 0) {
    fields.refuse("num_attention_heads is not a multiple of num_key_value_heads",
                  kUsePublishedConfig);
  }
  const bool has_head_dim = fields.is_given("head_dim") || is_gemma || is_qwen3;
  if (!has_head_dim && config.hidden_size % config.num_attention_heads != 0) {
    fields.refuse("hidden_size is not a multiple of num_attention_heads", kUsePublishedConfig);
  }
  config.head_dim = has_head_dim ? fields.size("head_dim", is_gemma ? 256 : 128)
                                 : config.hidden_size / config.num_attention_heads;
  config.hidden_act = fields.choice(is_gemma ? "hidden_activation" : "hidden_act",
                                    is_gemma ? "gelu_pytorch_tanh" : "silu",
                                    {"silu", "gelu_pytorch_tanh", "gelu_new", "gelu", "relu"});
  config.rms_norm_eps = fields.fraction("rms_norm_eps", is_phi3 ? 1e-5 : 1e-6);
  const bool has_biases = fields.flag("attention_bias", false);
  config.has_query_bias = has_biases || type == data::kQwen2.name;
  config.has_output_bias = has_biases;
  config.has_mlp_bias = fields.flag("mlp_bias", false);
  config.has_query_norms = is_qwen3 || is_gemma;
  config.has_joined_maps = is_phi3;
  config.has_norms_behind = config.has_norms_from_zero = is_gemma;
  config.tie_word_embeddings = fields.flag("tie_word_embeddings", is_gemma);
  config.attention_dropout = fields.dropout("attention_dropout", 0);
  if (is_phi3) {
    config.embd_pdrop = fields.dropout("embd_pdrop", 0);
    config.resid_pdrop = fields.dropout("resid_pdrop", 0);
  }
  config.initializer_range = fields.start_scale("initializer_range", 0.02);
  const double scaled_by = is_gemma ? fields.positive("query_pre_attn_scalar", 256)
                                    : static_cast<double>(config.head_dim);
  config.attention_scale = 1 / std::sqrt(scaled_by);
  if (is_gemma) config.embedding_scale = std::sqrt(static_cast<double>(config.hidden_size));
  read_windows(fields, type, config);
  RotaryContext context{.base_name = "rope_theta",
                        .base = is_gemma ? 1e6 : 1e4,
                        .head_dim = config.head_dim,
                        .positions = fields.size("max_position_embeddings"),
                        .trained_positions = {},
                        .is_phi3 = is_phi3};
  if (fields.is_given("original_max_position_embeddings")) {
    context.trained_positions = fields.size("original_max_position_embeddings");
  }
  std::optional<ConfigFields> scaling = fields.object("rope_parameters");
  std::optional<ConfigFields> of_local, of_global;
  if (scaling && is_gemma) {
    of_local = scaling->object("sliding_attention");
    of_global = scaling->object("full_attention");
    if (of_local || of_global) scaling->refuse_all_but({"sliding_attention", "full_attention"});
  }
  if (scaling) {
    fields.refuse_unless_off("rope_scaling");
  } else {
    scaling = fields.object("rope_scaling");
  }
  config.rotary = read_rotary(fields, of_global ? of_global : scaling, context);
  if (is_gemma) {
    context.base_name = "rope_local_base_freq";
    context.base = 1e4;
    config.local_rotary = read_rotary(fields, of_local, context);
  }
  for (const char* const name :
       {"attn_logit_softcapping", "final_logit_softcapping", "use_bidirectional_attention",
        "rope_interleaved", "quantization_config"}) {
    fields.refuse_unless_off(name);
  }
  return config;
}

namespace {

SequenceModelFactory read_llama(ConfigFields& fields) {
  const LlamaConfig config = read_llama_config(fields);
  return {config.vocab_size,
          "model.",
          "model.embed_tokens.weight",
          config.tie_word_embeddings,
          -1,
          [config](const std::string&) { return config.initializer_range; },
          [config](const ParameterLoader& load) { return std::make_unique<Llama>(config, load); }};
}

}  // namespace

template <>
SequenceModelFactory read_sequence_model<data::kLlama>(ConfigFields& fields) {
  return read_llama(fields);
}
template <>
SequenceModelFactory read_sequence_model<data::kMistral>(ConfigFields& fields) {
  return read_llama(fields);
}
template <>
SequenceModelFactory read_sequence_model<data::kQwen2>(ConfigFields& fields) {
  return read_llama(fields);
}
template <>
SequenceModelFactory read_sequence_model<data::kQwen3>(ConfigFields& fields) {
  return read_llama(fields);
}
template <>
SequenceModelFactory read_sequence_model<data::kPhi3>(ConfigFields& fields) {
  return read_llama(fields);
}
template <>
SequenceModelFactory read_sequence_model<data::kGemma3>(ConfigFields& fields) {
  return read_llama(fields);
}

}  // namespace rubric::models
