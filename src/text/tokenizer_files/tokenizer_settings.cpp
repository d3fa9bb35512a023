#include "text/tokenizer_files/tokenizer_settings.h"

#include "core/error.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric {
namespace {

// A token as files have it: its text, or an object with its flags.
AddedToken read_special_token(const Json& entry, const std::string& where) {
  AddedToken token;
  token.content = entry.is_string() ? entry.string() : entry.require_string("content", where);
  check_token(token.content, where);
  read_flag(entry, "single_word", where, token.single_word);
  read_flag(entry, "lstrip", where, token.lstrip);
  read_flag(entry, "rstrip", where, token.rstrip);
  read_flag(entry, "normalized", where, token.normalized);
  token.special = true;
  return token;
}

}  // namespace

TokenizerSettings read_tokenizer_settings(const std::filesystem::path& model_directory) {
  TokenizerSettings settings;
  const std::filesystem::path config = model_directory / "tokenizer_config.json";
  const std::filesystem::path special = model_directory / "special_tokens_map.json";
  settings.config_file = config.string();
  settings.special_tokens_file = special.string();
  settings.config = read_optional_object(config);
  settings.special_tokens = Json::Object();
  if (!lists_added_tokens(settings)) settings.special_tokens = read_optional_object(special);
  return settings;
}

bool lists_added_tokens(const TokenizerSettings& settings) {
  return settings.config.find("added_tokens_decoder") != nullptr;
}

std::string named_token(const TokenizerSettings& settings, std::string_view key,
                        const std::string& otherwise) {
  const Json* named = settings.special_tokens.find(key);
  const std::string& file = named != nullptr ? settings.special_tokens_file : settings.config_file;
  if (named == nullptr) named = settings.config.find(key);
  if (named == nullptr) return otherwise;
  if (named->is_null()) return "";
  return read_special_token(*named, file + ": " + std::string(key)).content;
}

std::vector<AddedToken> additional_special_tokens(const TokenizerSettings& settings) {
  constexpr const char* kKey = "additional_special_tokens";
  const bool in_map = settings.special_tokens.find(kKey) != nullptr;
  const std::string& file = in_map ? settings.special_tokens_file : settings.config_file;
  const Json* const list = (in_map ? settings.special_tokens : settings.config).find(kKey);
  std::vector<AddedToken> tokens;
  if (list == nullptr || list->is_null()) return tokens;
  const std::string where = file + ": " + kKey;
  if (!list->is_array()) {
    throw InputError(std::string("an array is needed, found ") + list->kind(), where,
                     kUseOriginalTokenizer);
  }
  for (const Json& entry : list->array()) tokens.push_back(read_special_token(entry, where));
  return tokens;
}

bool cleans_up_spaces(const TokenizerSettings& settings) {
  bool cleans_up = false;
  read_flag(settings.config, "clean_up_tokenization_spaces", settings.config_file, cleans_up);
  return cleans_up;
}

}  // namespace rubric
