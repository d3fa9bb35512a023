#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/json.h"
#include "models/bert.h"

namespace rubric {
namespace {

constexpr int64_t kLargestSize = 10'000'000;  // bounds every size a hostile config.json may ask for

int64_t size_field(const Json& config, const char* name, const std::string& where) {
  const int64_t value = config.require_integer(name, where);
  if (value < 1 || value > kLargestSize) {
    throw InputError(std::string(name) + " is " + std::to_string(value) + ", which no model has",
                     where);
  }
  return value;
}

// A number in [0, 1), or the default when the field is not there.
double fraction_field(const Json& config, const char* name, double otherwise,
                      const std::string& where) {
  if (config.find(name) == nullptr) return otherwise;
  const double value = config.require_number(name, where);
  if (!(value >= 0 && value < 1)) {
    throw InputError(std::string(name) + " must be at least 0 and below 1", where);
  }
  return value;
}

}  // namespace

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
  config.num_hidden_layers = size_field(json, "num_hidden_layers", where);
  config.num_attention_heads = size_field(json, "num_attention_heads", where);
  config.intermediate_size = size_field(json, "intermediate_size", where);
  config.max_position_embeddings = size_field(json, "max_position_embeddings", where);
  if (json.find("type_vocab_size") != nullptr) {
    config.type_vocab_size = size_field(json, "type_vocab_size", where);
  }
  if (is_roberta) config.pad_token_id = 1;
  if (const Json* padding = json.find("pad_token_id"); padding != nullptr && !padding->is_null()) {
    config.pad_token_id = json.require_integer("pad_token_id", where);
    if (config.pad_token_id < 0 || config.pad_token_id >= config.vocab_size) {
      throw InputError("pad_token_id is outside the vocabulary", where);
    }
  }
  if (is_roberta) config.first_position = config.pad_token_id + 1;
  if (config.longest_row() < 1) {
    throw InputError("max_position_embeddings leaves no position behind that of padding", where);
  }
  config.layer_norm_eps = fraction_field(json, "layer_norm_eps", 1e-12, where);
  config.hidden_dropout_prob = fraction_field(json, "hidden_dropout_prob", 0.1, where);
  config.attention_probs_dropout_prob =
      fraction_field(json, "attention_probs_dropout_prob", 0.1, where);
  if (json.find("hidden_act") != nullptr) {
    config.hidden_act = json.require_string("hidden_act", where);
  }
  constexpr std::array kActivations = {"gelu", "gelu_new", "relu"};
  if (std::find(kActivations.begin(), kActivations.end(), config.hidden_act) ==
      kActivations.end()) {
    throw InputError("hidden_act \"" + config.hidden_act + "\" is not supported", where,
                     "use a model with gelu, gelu_new or relu");
  }
  if (config.hidden_size % config.num_attention_heads != 0) {
    throw InputError("hidden_size is not a multiple of num_attention_heads", where);
  }
  constexpr int64_t kMostLayers = 1000;
  if (config.num_hidden_layers > kMostLayers) {
    throw InputError("num_hidden_layers is over " + std::to_string(kMostLayers), where);
  }
  return config;
}

}  // namespace rubric
