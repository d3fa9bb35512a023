#include "text/tokenizer_files/token_entries.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <system_error>
#include <unordered_set>

#include "core/error.h"
#include "core/text/utf8.h"

namespace rubric::text {

namespace {

constexpr int64_t kLargestId = 10'000'000;

void check_id(int64_t id, const std::string& where) {
  if (id >= 0 && id <= kLargestId) return;
  throw InputError("the id " + std::to_string(id) + " is not between 0 and ten million", where,
                   kUseOriginalTokenizer);
}

int64_t read_id(const Json& value, const std::string& where) {
  constexpr double kExact = 9007199254740992.0;  // doubles hold every integer up to 2^53
  if (value.is_number() && value.number() == std::floor(value.number()) &&
      std::abs(value.number()) <= kExact) {
    return static_cast<int64_t>(value.number());
  }
  throw InputError(std::string("an id must be a whole number, this one is ") +
                       (value.is_number() ? value.number_text() : value.kind()),
                   where, kUseOriginalTokenizer);
}

AddedToken read_added_token(const Json& entry, int64_t id, const std::string& where) {
  AddedToken token;
  token.content = entry.require_string("content", where);
  check_id(id, where);
  check_token(token.content, where);
  token.id = static_cast<int32_t>(id);
  read_flag(entry, "single_word", where, token.single_word);
  read_flag(entry, "lstrip", where, token.lstrip);
  read_flag(entry, "rstrip", where, token.rstrip);
  read_flag(entry, "normalized", where, token.normalized);
  read_flag(entry, "special", where, token.special);
  return token;
}

void require_kind(bool is_right, const char* needed, const Json& found, const std::string& where) {
  if (is_right) return;
  throw InputError(std::string(needed) + " is needed, found " + found.kind(), where,
                   kUseOriginalTokenizer);
}

// Reads a token: its text, or an object with its flags.
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

void read_flag(const Json& object, std::string_view key, const std::string& where, bool& value) {
  const Json* const member = object.find(key);
  if (member == nullptr) return;
  if (!member->is_bool()) {
    throw InputError(
        "the field " + json_quote(key) + " must be true or false, it is " + member->kind(), where,
        "write one of these, or fetch the model again");
  }
  value = member->boolean();
}

void check_token(std::string_view token, const std::string& where) {
  if (token.empty()) throw InputError("an empty token", where, kUseOriginalTokenizer);
  if (token.size() > Vocabulary::kLongestToken) {
    throw InputError("a token of " + std::to_string(token.size()) + " bytes; at most " +
                         std::to_string(Vocabulary::kLongestToken) + " are allowed",
                     where, kUseOriginalTokenizer);
  }
  if (!is_valid_utf8(token)) throw InputError("not valid UTF-8", where, "save the file as UTF-8");
}

void add_checked(std::string_view token, int64_t id, const std::string& where,
                 Vocabulary& vocabulary) {
  check_id(id, where);
  check_token(token, where);
  if (vocabulary.add(token, static_cast<int32_t>(id))) return;
  throw InputError("the token " + json_quote(token) + " is there twice, first with the id " +
                       std::to_string(vocabulary.find(token)),
                   where, kUseOriginalTokenizer);
}

Vocabulary read_vocabulary(const Json& entries, const std::string& where) {
  require_kind(entries.is_object(), "an object", entries, where);
  Vocabulary vocabulary;
  std::unordered_set<int64_t> ids;
  for (const auto& [token, value] : entries.object()) {
    const std::string place = where + ": " + json_quote(token);
    const int64_t id = read_id(value, place);
    if (!ids.insert(id).second) {
      throw InputError("the id " + std::to_string(id) + " is there twice", place,
                       kUseOriginalTokenizer);
    }
    add_checked(token, id, place, vocabulary);
  }
  return vocabulary;
}

std::vector<AddedToken> read_added_token_list(const Json& tokenizer_json, const std::string& file) {
  const Json& list = tokenizer_json.require("added_tokens", file);
  require_kind(list.is_array(), "an array", list, file + ": added_tokens");
  std::vector<AddedToken> tokens;
  for (const Json& entry : list.array()) {
    const std::string place = file + ": added_tokens[" + std::to_string(tokens.size()) + "]";
    tokens.push_back(read_added_token(entry, entry.require_integer("id", place), place));
  }
  return tokens;
}

std::vector<AddedToken> read_added_tokens_decoder(const Json& config, const std::string& file) {
  const std::string place = file + ": added_tokens_decoder";
  const Json& decoder = config.require("added_tokens_decoder", file);
  require_kind(decoder.is_object(), "an object", decoder, place);
  std::vector<AddedToken> tokens;
  for (const auto& [key, entry] : decoder.object()) {
    const std::string where = place + ": " + json_quote(key);
    int64_t id = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc() || end != key.data() + key.size()) {
      throw InputError("the key is not an id", where, kUseOriginalTokenizer);
    }
    tokens.push_back(read_added_token(entry, id, where));
  }
  return tokens;
}

void append_added_tokens_json(const std::filesystem::path& path, std::vector<AddedToken>& tokens) {
  const Vocabulary added = read_vocabulary(read_optional_object(path), path.string());
  for (size_t i = 0; i < added.count(); ++i) {
    AddedToken token{.content = std::string(added.token(i)), .pattern = "", .id = added.id(i)};
    token.normalized = true;
    const auto is_same = [&](const AddedToken& known) {
      return known.content == token.content && known.id == token.id;
    };
    if (std::ranges::none_of(tokens, is_same)) tokens.push_back(std::move(token));
  }
}

void check_added_tokens(const std::vector<AddedToken>& tokens, const Vocabulary& vocabulary,
                        const std::string& file) {
  std::unordered_set<int32_t> ids;
  for (size_t i = 0; i < vocabulary.count(); ++i) ids.insert(vocabulary.id(i));
  std::unordered_set<std::string> contents;
  for (const AddedToken& token : tokens) {
    const int32_t known_id = vocabulary.find(token.content);
    const bool right_id = known_id >= 0 ? known_id == token.id : ids.insert(token.id).second;
    if (right_id && contents.insert(token.content).second) continue;
    throw InputError("the token or its id " + std::to_string(token.id) + " is there twice",
                     file + ": added token " + json_quote(token.content), kUseOriginalTokenizer);
  }
}

void put_added_token(AddedToken token, const Vocabulary& vocabulary,
                     std::vector<AddedToken>& tokens) {
  for (AddedToken& known : tokens) {
    if (known.content != token.content) continue;
    token.id = known.id;
    known = std::move(token);
    return;
  }
  token.id = vocabulary.find(token.content);
  if (token.id < 0) token.id = static_cast<int32_t>(count_ids(vocabulary, tokens));
  tokens.push_back(std::move(token));
}

void add_new_tokens(const std::vector<std::string>& contents, const Vocabulary& vocabulary,
                    std::vector<AddedToken>& tokens) {
  for (const std::string& content : contents) {
    check_token(content, "the token to add " + json_quote(content));
    const auto is_same = [&](const AddedToken& known) { return known.content == content; };
    if (std::ranges::any_of(tokens, is_same)) continue;
    AddedToken token{.content = content, .pattern = ""};
    token.normalized = true;
    put_added_token(std::move(token), vocabulary, tokens);
  }
}

Json read_optional_object(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Json::Object();
  Json object = Json::parse_file(path);
  require_kind(object.is_object(), "an object", object, path.string());
  return object;
}

std::string tokens_text(const Vocabulary& vocabulary, std::vector<AddedToken> added_tokens) {
  std::ranges::sort(added_tokens, {}, &AddedToken::id);
  std::vector<size_t> order(vocabulary.count());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t index) { return vocabulary.id(index); });
  std::string text;
  for (const AddedToken& token : added_tokens) {
    text += "\nadded " + std::to_string(token.id) + " " + json_quote(token.content);
    for (const bool flag : {token.single_word, token.lstrip, token.rstrip, token.normalized}) {
      text += flag ? " 1" : " 0";
    }
  }
  for (const size_t index : order) {
    text += "\n" + std::to_string(vocabulary.id(index)) + " ";
    text += json_quote(vocabulary.token(index));
  }
  return text;
}

int64_t count_ids(const Vocabulary& vocabulary, const std::vector<AddedToken>& added_tokens) {
  int64_t count = 0;
  for (const AddedToken& token : added_tokens) count = std::max<int64_t>(count, token.id + 1);
  for (size_t i = 0; i < vocabulary.count(); ++i) {
    count = std::max<int64_t>(count, vocabulary.id(i) + 1);
  }
  return count;
}

void read_options(const Json& object, std::string_view lowercase_key,
                  std::string_view chinese_chars_key, const std::string& where,
                  WordPieceOptions& options) {
  read_flag(object, lowercase_key, where, options.lowercase);
  read_flag(object, chinese_chars_key, where, options.tokenize_chinese_chars);
  const Json* const strip_accents = object.find("strip_accents");
  if (strip_accents == nullptr) return;
  if (strip_accents->is_null()) {
    options.strip_accents.reset();
  } else {
    read_flag(object, "strip_accents", where, options.strip_accents.emplace());
  }
}

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

std::string tokenizer_class(const std::filesystem::path& model_directory,
                            const TokenizerSettings& settings) {
  const Json config = read_optional_object(model_directory / "config.json");
  for (const auto& [object, key] : {std::pair(&settings.config, "tokenizer_class"),
                                    {&config, "tokenizer_class"},
                                    {&config, "model_type"}}) {
    const Json* const named = object->find(key);
    if (named == nullptr || !named->is_string()) continue;
    std::string name = named->string();
    if (name.ends_with("Fast")) name.resize(name.size() - std::string_view("Fast").size());
    return name;
  }
  return "";
}

bool is_of_no_class(const TokenizerSettings& settings) {
  const Json* const named = settings.config.find("tokenizer_class");
  return named != nullptr && (named->dump() == "\"PreTrainedTokenizerFast\"" ||
                              named->dump() == "\"TokenizersBackend\"");
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

}  // namespace rubric::text
