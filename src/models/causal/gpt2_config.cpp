#include "core/error.h"
#include "core/json/json.h"
#include "models/architecture.h"
#include "models/causal/gpt2.h"

namespace rubric {

Gpt2Config read_gpt2_config(const std::filesystem::path& config_json) {
  const Json json = Json::parse_file(config_json);
  const std::string where = config_json.string();
  if (flag_field(json, "add_cross_attention", false, where)) {
    throw InputError("add_cross_attention is true: the model needs an encoder", where,
                     "use a GPT-2 that stands alone");
  }
  Gpt2Config config;
  config.vocab_size = size_field(json, "vocab_size", where);
  config.n_positions = size_field(json, "n_positions", where);
  config.n_embd = size_field(json, "n_embd", where);
  config.n_layer = layers_field(json, "n_layer", where);
  config.n_head = size_field(json, "n_head", where);
  config.n_inner = size_field(json, "n_inner", where, 4 * config.n_embd);
  config.activation_function =
      choice_field(json, "activation_function", "gelu_new", {"gelu_new", "gelu", "relu"}, where);
  config.resid_pdrop = fraction_field(json, "resid_pdrop", 0.1, where);
  config.embd_pdrop = fraction_field(json, "embd_pdrop", 0.1, where);
  config.attn_pdrop = fraction_field(json, "attn_pdrop", 0.1, where);
  config.layer_norm_epsilon = fraction_field(json, "layer_norm_epsilon", 1e-5, where);
  config.scale_attn_weights = flag_field(json, "scale_attn_weights", true, where);
  config.scale_attn_by_inverse_layer_idx =
      flag_field(json, "scale_attn_by_inverse_layer_idx", false, where);
  config.initializer_range = positive_field(json, "initializer_range", 0.02, where);
  config.tie_word_embeddings = flag_field(json, "tie_word_embeddings", true, where);
  if (config.n_embd % config.n_head != 0) {
    throw InputError("n_embd is not a multiple of n_head", where, kUsePublishedConfig);
  }
  return config;
}

}  // namespace rubric
