#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "text/tokenizer_files/token_entries.h"
#include "text/tokenizer_files/tokenizer_json.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text {

namespace {

bool has_file(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

Vocabulary read_vocabulary_lines(const std::filesystem::path& path) {
  Vocabulary vocabulary;
  LineReader reader(path);
  std::string line;
  while (reader.next(line)) {
    if (!line.empty()) add_checked(line, reader.line_number() - 1, reader.where(), vocabulary);
  }
  return vocabulary;
}

// The tokens with a role.
struct RoleTokens {
  std::string pad = "[PAD]", cls = "[CLS]", sep = "[SEP]", mask = "[MASK]";
  bool mask_takes_blanks = false;  // those before it
};

RoleTokens role_tokens(const std::filesystem::path& model_directory,
                       const TokenizerSettings& settings) {
  RoleTokens roles;
  constexpr std::string_view kMpnetClasses[] = {"MPNetTokenizer", "mpnet"};
  const std::string name = tokenizer_class(model_directory, settings);
  if (std::ranges::count(kMpnetClasses, name) > 0) {
    roles = {
        .pad = "<pad>", .cls = "<s>", .sep = "</s>", .mask = "<mask>", .mask_takes_blanks = true};
  }
  for (const auto& [key, token] : {std::pair{"pad_token", &roles.pad},
                                   {"cls_token", &roles.cls},
                                   {"sep_token", &roles.sep},
                                   {"mask_token", &roles.mask}}) {
    const std::string named = named_token(settings, key, *token);
    if (!named.empty()) *token = named;
  }
  return roles;
}

std::vector<AddedToken> special_tokens(const Vocabulary& vocabulary, const RoleTokens& roles) {
  std::vector<AddedToken> tokens;
  for (const std::string& content :
       {roles.pad, std::string("[UNK]"), roles.cls, roles.sep, roles.mask}) {
    const int32_t id = vocabulary.find(content);
    if (id < 0) continue;
    tokens.emplace_back();
    tokens.back().content = content;
    tokens.back().id = id;
  }
  if (!tokens.empty() && tokens.back().content == roles.mask) {
    tokens.back().lstrip = roles.mask_takes_blanks;
  }
  return tokens;
}

// The id of a token; -1 if the model has no such token.
int64_t id_of(const WordPieceModel& model, const std::string& content) {
  for (const AddedToken& token : model.added_tokens) {
    if (token.content == content) return token.id;
  }
  return model.vocabulary.find(content);
}

// Checks the model as a whole, and sets the ids of its roles and the patterns of the added tokens.
void complete(WordPieceModel& model, const RoleTokens& roles, const std::string& file) {
  if (model.vocabulary.count() == 0) {
    throw InputError("the vocabulary is empty", file, kUseOriginalTokenizer);
  }
  for (const std::string& token : {roles.pad, std::string("[UNK]"), roles.cls, roles.sep}) {
    if (id_of(model, token) >= 0) continue;
    throw InputError("the vocabulary has no " + token, file,
                     "use a model with BERT's or MPNet's tokenizer, and its vocabulary as it was "
                     "published");
  }
  model.cls_id = id_of(model, roles.cls);
  model.sep_id = id_of(model, roles.sep);
  check_added_tokens(model.added_tokens, model.vocabulary, file);
  for (AddedToken& token : model.added_tokens) {
    token.pattern = token.content;
    if (!token.normalized) continue;
    std::string before;
    model.before.normalize(token.content, before);
    token.pattern.clear();
    bert_normalize(before, model.options, token.pattern);
    check_token(token.pattern, file + ": added token " + json_quote(token.content));
  }
}

constexpr const char* kUseBert = "use a model with BERT's tokenizer";

// Throws unless the part of tokenizer.json under `key` has BERT's type.
const Json& require_type(const Json& part, const std::string& key, std::string_view type,
                         const std::string& file) {
  const Json* const found = part.find("type");
  // The first releases wrote models without type; only WordPiece has this key.
  if (found == nullptr && part.find("max_input_chars_per_word") != nullptr) return part;
  if (found != nullptr && found->is_string() && found->string() == type) return part;
  const std::string what = found != nullptr ? "of the type " + found->dump() : part.kind();
  throw InputError("the " + key + " is " + what + "; " + std::string(type) + " is needed", file,
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

WordPieceModel read_wordpiece_directory(const std::filesystem::path& model_directory) {
  const std::filesystem::path tokenizer_json = model_directory / "tokenizer.json";
  const std::filesystem::path vocab_txt = model_directory / "vocab.txt";
  const TokenizerSettings settings = read_tokenizer_settings(model_directory);
  const Json& config = settings.config;
  const RoleTokens roles = role_tokens(model_directory, settings);

  if (has_file(tokenizer_json)) {
    WordPieceModel model = read_tokenizer_json(tokenizer_json);
    // transformers changes these options of a BertNormalizer alone, not of one in a Sequence.
    const bool has_options = model.before.is_empty() && !is_of_no_class(settings);
    if (has_options) {
      read_options(config, "do_lower_case", "tokenize_chinese_chars", settings.config_file,
                   model.options);
    }
    complete(model, roles, tokenizer_json.string());
    return model;
  }
  if (!has_file(vocab_txt)) {
    throw InputError("no tokenizer.json and no vocab.txt", model_directory.string(),
                     "give a model directory with its tokenizer files");
  }
  WordPieceModel model;
  model.vocabulary = read_vocabulary_lines(vocab_txt);
  model.added_tokens = config.find("added_tokens_decoder") != nullptr
                           ? read_added_tokens_decoder(config, settings.config_file)
                           : special_tokens(model.vocabulary, roles);
  read_options(config, "do_lower_case", "tokenize_chinese_chars", settings.config_file,
               model.options);
  complete(model, roles, vocab_txt.string());
  model.around = {{model.cls_id}, {model.sep_id}, roles.sep == "</s>" ? 2 : 1};
  return model;
}

WordPieceModel read_tokenizer_json(const std::filesystem::path& path) {
  const std::string file = path.string();
  const std::string in_model = file + ": model", in_normalizer = file + ": normalizer";
  const Json tokenizer = Json::parse_file(path);
  const Json& model = require_type(tokenizer.require("model", file), "model", "WordPiece", file);
  const std::vector<const Json*> steps =
      flattened_steps(tokenizer.require("normalizer", file), in_normalizer);
  const Json& normalizer =
      require_type(steps.empty() ? tokenizer.require("normalizer", file) : *steps.back(),
                   "normalizer", "BertNormalizer", file);
  require_type(only_step(tokenizer, "pre_tokenizer", file), "pre_tokenizer", "BertPreTokenizer",
               file);
  require_value(model, "unk_token", "\"[UNK]\"", in_model);
  require_value(model, "continuing_subword_prefix", "\"##\"", in_model);
  require_value(model, "max_input_chars_per_word", "100", in_model);
  require_value(normalizer, "clean_text", "true", in_normalizer);

  WordPieceModel result;
  result.vocabulary = read_vocabulary(model.require("vocab", in_model), in_model + ".vocab");
  read_options(normalizer, "lowercase", "handle_chinese_chars", in_normalizer, result.options);
  result.before = Normalizer::from_steps(std::span(steps).first(steps.size() - 1), in_normalizer);
  result.added_tokens = read_added_token_list(tokenizer, file);
  result.around = read_tokens_around(tokenizer, file);
  return result;
}

}  // namespace rubric::text
