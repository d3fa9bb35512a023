#include "text/token_entries.h"

#include "core/error.h"
#include "core/utf8.h"

namespace rubric {
namespace {

constexpr int64_t kLargestId = 10'000'000;

void check_id(int64_t id, const std::string& where) {
  if (id >= 0 && id <= kLargestId) return;
  throw InputError("the id " + std::to_string(id) + " is not between 0 and ten million", where,
                   kUseOriginalTokenizer);
}

// Sets `value` when `object` has the key.
void read_flag(const Json& object, std::string_view key, const std::string& where, bool& value) {
  const Json* const member = object.find(key);
  if (member == nullptr) return;
  if (!member->is_bool()) {
    throw InputError(
        "the field " + json_quote(key) + " must be true or false, it is " + member->kind(), where);
  }
  value = member->boolean();
}

}  // namespace

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
  return token;
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

}  // namespace rubric
