#include "text/wordpiece/tokenizer_json.h"

#include <string>
#include <string_view>

#include "core/error.h"
#include "core/json/json.h"
#include "text/tokenizer_files/token_entries.h"

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
  result.vocabulary = read_vocabulary(model.require("vocab", in_model), in_model + ".vocab");
  read_options(normalizer, "lowercase", "handle_chinese_chars", in_normalizer, result.options);
  result.added_tokens = read_added_token_list(tokenizer, file);
  return result;
}

}  // namespace rubric
