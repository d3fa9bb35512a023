#include "text/tokenizer_json.h"

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/error.h"
#include "core/json.h"
#include "text/token_entries.h"

namespace rubric {
namespace {

constexpr const char* kUseBert = "use a model with BERT's tokenizer";

// The part of tokenizer.json under `key`, which must have the type that BERT has there.
const Json& require_type(const Json& tokenizer, std::string_view key, std::string_view type,
                         const std::string& file) {
  const Json& part = tokenizer.require(key, file);
  const Json* const found = part.find("type");
  // The first releases wrote models without a type; only WordPiece has this key.
  if (found == nullptr && part.find("max_input_chars_per_word") != nullptr) return part;
  if (found != nullptr && found->is_string() && found->string() == type) return part;
  const std::string what = found != nullptr ? "of the type " + found->dump() : part.kind();
  throw InputError(
      "the " + std::string(key) + " is " + what + "; " + std::string(type) + " is needed", file,
      kUseBert);
}

void require_value(const Json& part, std::string_view key, const std::string& expected,
                   const std::string& where) {
  const Json* const value = part.find(key);
  if (value == nullptr || value->dump() == expected) return;
  throw InputError("the field " + json_quote(key) + " is not " + expected + ", as BERT's is", where,
                   kUseBert);
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

Vocabulary read_vocabulary(const Json& model, const std::string& where) {
  const Json& entries = model.require("vocab", where);
  if (!entries.is_object()) {
    throw InputError(std::string("the field \"vocab\" must be an object, it is ") + entries.kind(),
                     where, kUseOriginalTokenizer);
  }
  Vocabulary vocabulary;
  std::unordered_set<int64_t> ids;
  for (const auto& [token, value] : entries.object()) {
    const std::string place = where + ".vocab: " + json_quote(token);
    const int64_t id = read_id(value, place);
    if (!ids.insert(id).second) {
      throw InputError("the id " + std::to_string(id) + " is there twice", place,
                       kUseOriginalTokenizer);
    }
    add_checked(token, id, place, vocabulary);
  }
  return vocabulary;
}

}  // namespace

WordPieceModel read_tokenizer_json(const std::filesystem::path& path) {
  const std::string file = path.string();
  const std::string in_model = file + ": model", in_normalizer = file + ": normalizer";
  const Json tokenizer = Json::parse_file(path);
  const Json& model = require_type(tokenizer, "model", "WordPiece", file);
  const Json& normalizer = require_type(tokenizer, "normalizer", "BertNormalizer", file);
  require_type(tokenizer, "pre_tokenizer", "BertPreTokenizer", file);
  require_value(model, "unk_token", "\"[UNK]\"", in_model);
  require_value(model, "continuing_subword_prefix", "\"##\"", in_model);
  require_value(model, "max_input_chars_per_word", "100", in_model);
  require_value(normalizer, "clean_text", "true", in_normalizer);

  WordPieceModel result;
  result.vocabulary = read_vocabulary(model, in_model);
  read_options(normalizer, "lowercase", "handle_chinese_chars", in_normalizer, result.options);
  const Json& added_tokens = tokenizer.require("added_tokens", file);
  if (!added_tokens.is_array()) {
    throw InputError(std::string("an array is needed, found ") + added_tokens.kind(),
                     file + ": added_tokens", kUseOriginalTokenizer);
  }
  for (const Json& entry : added_tokens.array()) {
    const std::string place =
        file + ": added_tokens[" + std::to_string(result.added_tokens.size()) + "]";
    const int64_t id = entry.require_integer("id", place);
    result.added_tokens.push_back(read_added_token(entry, id, place));
  }
  return result;
}

}  // namespace rubric
