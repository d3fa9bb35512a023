#include "core/error.h"
#include "core/json/json.h"
#include "models/encoders/bert.h"
#include "models/architecture.h"

namespace rubric {

BertConfig read_bert_config(const std::filesystem::path& config_json) {
  const Json json = Json::parse_file(config_json);
  const std::string where = config_json.string();
  const std::string& type = json.require_string("model_type", where);
  const bool is_roberta = type == "roberta" || type == "xlm-roberta";
  if (type != "bert" && !is_roberta) {
    throw InputError("the model is a \"" + type +
                         "\"; this version runs \"bert\", \"roberta\" and \"xlm-roberta\"",
                     where);
  }
  if (const Json* decoder = json.find("is_decoder"); decoder && decoder->dump() == "true") {
    throw InputError("is_decoder is true: the model reads from left to right only", where,
                     "use an encoder");
  }
  if (const Json* positions = json.find("position_embedding_type");
      positions != nullptr && positions->is_string() && positions->string() != "absolute") {
    throw InputError("position_embedding_type \"" + positions->string() + "\" is not supported",
                     where, "use a model with absolute positions");
  }
  BertConfig config;
  config.vocab_size = size_field(json, "vocab_size", where);
  config.hidden_size = size_field(json, "hidden_size", where);
  config.num_hidden_layers = layers_field(json, "num_hidden_layers", where);
  config.num_attention_heads = size_field(json, "num_attention_heads", where);
  config.intermediate_size = size_field(json, "intermediate_size", where);
  config.max_position_embeddings = size_field(json, "max_position_embeddings", where);
  config.type_vocab_size = size_field(json, "type_vocab_size", where, config.type_vocab_size);
  if (is_roberta) config.pad_token_id = 1;
  config.pad_token_id =
      token_field(json, "pad_token_id", config.vocab_size, where).value_or(config.pad_token_id);
  if (is_roberta) config.first_position = config.pad_token_id + 1;
  if (config.longest_row() < 1) {
    throw InputError("max_position_embeddings leaves no position behind that of padding", where);
  }
  config.layer_norm_eps = fraction_field(json, "layer_norm_eps", 1e-12, where);
  config.hidden_dropout_prob = fraction_field(json, "hidden_dropout_prob", 0.1, where);
  config.attention_probs_dropout_prob =
      fraction_field(json, "attention_probs_dropout_prob", 0.1, where);
  config.hidden_act = choice_field(json, "hidden_act", "gelu", {"gelu", "gelu_new", "relu"}, where);
  if (config.hidden_size % config.num_attention_heads != 0) {
    throw InputError("hidden_size is not a multiple of num_attention_heads", where);
  }
  return config;
}

}  // namespace rubric
