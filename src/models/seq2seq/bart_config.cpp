#include "core/error.h"
#include "core/json/json.h"
#include "models/seq2seq/bart.h"
#include "models/architecture.h"

namespace rubric {

BartConfig read_bart_config(const std::filesystem::path& config_json) {
  const Json json = Json::parse_file(config_json);
  const std::string where = config_json.string();
  // What fairseq's other models of this kind have and BART has not.
  for (const auto& [name, published] : {std::pair("normalize_before", false),
                                        {"add_final_layer_norm", false},
                                        {"static_position_embeddings", false},
                                        {"normalize_embedding", true},
                                        {"tie_word_embeddings", true}}) {
    if (flag_field(json, name, published, where) == published) continue;
    throw InputError(std::string(name) + " is " + (published ? "false" : "true") +
                         ", which no published BART has",
                     where, "use a BART");
  }
  BartConfig config;
  config.vocab_size = size_field(json, "vocab_size", where);
  config.d_model = size_field(json, "d_model", where);
  config.max_position_embeddings = size_field(json, "max_position_embeddings", where);
  config.encoder_layers = layers_field(json, "encoder_layers", where);
  config.encoder_attention_heads = size_field(json, "encoder_attention_heads", where);
  config.encoder_ffn_dim = size_field(json, "encoder_ffn_dim", where);
  config.decoder_layers = layers_field(json, "decoder_layers", where);
  config.decoder_attention_heads = size_field(json, "decoder_attention_heads", where);
  config.decoder_ffn_dim = size_field(json, "decoder_ffn_dim", where);
  config.dropout = fraction_field(json, "dropout", 0.1, where);
  config.attention_dropout = fraction_field(json, "attention_dropout", 0, where);
  config.activation_dropout = fraction_field(json, "activation_dropout", 0, where);
  config.activation_function =
      choice_field(json, "activation_function", "gelu", {"gelu", "gelu_new", "relu"}, where);
  config.scale_embedding = flag_field(json, "scale_embedding", false, where);
  config.init_std = positive_field(json, "init_std", 0.02, where);
  for (const char* const name : {"encoder_layerdrop", "decoder_layerdrop"}) {
    if (fraction_field(json, name, 0, where) == 0) continue;
    throw InputError(std::string(name) + " is above 0: layers would be left out in training", where,
                     "set it to 0");
  }
  config.pad_token_id =
      token_field(json, "pad_token_id", config.vocab_size, where).value_or(config.pad_token_id);
  if (config.d_model % config.encoder_attention_heads != 0 ||
      config.d_model % config.decoder_attention_heads != 0) {
    throw InputError("d_model is not a multiple of the attention heads", where,
                     kUsePublishedConfig);
  }
  return config;
}

}  // namespace rubric
