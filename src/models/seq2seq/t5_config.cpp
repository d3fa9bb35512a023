#include "core/error.h"
#include "core/json/json.h"
#include "models/architecture.h"
#include "models/seq2seq/t5.h"

namespace rubric {

T5Config read_t5_config(const std::filesystem::path& config_json) {
  const Json json = Json::parse_file(config_json);
  const std::string where = config_json.string();
  const bool is_mt5 = json.require_string("model_type", where) == "mt5";
  T5Config config;
  config.vocab_size = size_field(json, "vocab_size", where);
  config.d_model = size_field(json, "d_model", where);
  config.d_kv = size_field(json, "d_kv", where);
  config.d_ff = size_field(json, "d_ff", where);
  config.num_heads = size_field(json, "num_heads", where);
  config.num_layers = layers_field(json, "num_layers", where);
  config.num_decoder_layers = layers_field(json, "num_decoder_layers", where, config.num_layers);
  config.relative_attention_num_buckets =
      size_field(json, "relative_attention_num_buckets", where, 32);
  config.relative_attention_max_distance =
      size_field(json, "relative_attention_max_distance", where, 128);
  config.dropout_rate = fraction_field(json, "dropout_rate", 0.1, where);
  config.layer_norm_epsilon = fraction_field(json, "layer_norm_epsilon", 1e-6, where);
  config.feed_forward_proj = choice_field(json, "feed_forward_proj", is_mt5 ? "gated-gelu" : "relu",
                                          {"relu", "gated-gelu", "gated-silu"}, where);
  config.tie_word_embeddings = flag_field(json, "tie_word_embeddings", !is_mt5, where);
  config.initializer_factor = positive_field(json, "initializer_factor", 1, where);
  // Both halves need buckets for exact and for rounded distances.
  if (config.relative_attention_num_buckets < 4 ||
      config.relative_attention_max_distance <= config.relative_attention_num_buckets / 2) {
    throw InputError(
        "relative_attention_num_buckets and relative_attention_max_distance leave no "
        "place for rounded distances",
        where, kUsePublishedConfig);
  }
  return config;
}

}  // namespace rubric
