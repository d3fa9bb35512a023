#include "text/sentencepiece/sentencepiece_files.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kExtraIds = 100;
constexpr const char* kFetchAgain = "fetch the model again, or name another one";
constexpr const char* kUseT5 = "use a model with the tokenizer of T5";

void require_t5(const TokenizerSettings& settings) {
  const Json* const kind = settings.config.find("tokenizer_class");
  if (kind == nullptr || !kind->is_string()) return;
  const std::string& name = kind->string();
  if (name.starts_with("T5Tokenizer") || name.starts_with("MT5Tokenizer")) return;
  throw InputError("the tokenizer is a " + name + "; of those with spiece.model this has T5's",
                   settings.config_file, kUseT5);
}

int64_t count_extra_ids(const TokenizerSettings& settings) {
  const Json* const extra_ids = settings.config.find("extra_ids");
  if (extra_ids == nullptr) return kExtraIds;
  const int64_t count = settings.config.require_integer("extra_ids", settings.config_file);
  if (count >= 0 && count <= 10'000) return count;
  throw InputError("extra_ids is " + std::to_string(count), settings.config_file,
                   kUseOriginalTokenizer);
}

void append_extra_ids(int64_t count, const std::string& where, SentencePieceModel& model) {
  for (int64_t i = count - 1; i >= 0; --i) {
    const auto id = static_cast<int64_t>(model.pieces.count());
    add_checked("<extra_id_" + std::to_string(i) + ">", id, where, model.pieces);
    model.scores.push_back(0);
    model.kinds.push_back(PieceKind::normal);
  }
}

// Repeatedly reading and saving a file changes the last digits.
bool is_close(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

// A score as `tokenizers` reads it from tokenizer.json (serde_json without float_roundtrip): its
// digits as an integer, divided by a power of ten. With 17 digits the last bit may differ, which
// decides between equally probable segmentations.
double score_as_read(const Json& number) {
  constexpr size_t kMostDigits = 19;  // always fit in 64 bits
  std::string digits = number.number_text();
  const bool is_negative = digits.starts_with('-');
  if (is_negative) digits.erase(0, 1);
  const size_t point = digits.find('.');
  if (point != std::string::npos) digits.erase(point, 1);
  const bool is_plain = digits.find_first_not_of("0123456789") == std::string::npos;
  if (point == std::string::npos || !is_plain || digits.size() > kMostDigits) {
    return number.number();
  }
  const double power = std::pow(10, static_cast<double>(digits.size() - point));
  const double score = static_cast<double>(std::stoull(digits)) / power;
  return is_negative ? -score : score;
}

// Checks that the Unigram of tokenizer.json has the pieces and scores of spiece.model, and uses its
// scores.
void take_scores(const Json& tokenizer, const std::string& file, SentencePieceModel& model) {
  const Json& unigram = tokenizer.require("model", file);
  const std::string where = file + ": model";
  if (unigram.require_string("type", where) != "Unigram") {
    throw InputError("the model beside spiece.model is not a Unigram model", where, kUseT5);
  }
  const Json::Array& entries = unigram.require_array("vocab", where);
  bool is_same = entries.size() == model.pieces.count();
  for (size_t i = 0; is_same && i < entries.size(); ++i) {
    const Json& entry = entries[i];
    is_same = entry.is_array() && entry.array().size() == 2 && entry.array()[0].is_string() &&
              entry.array()[1].is_number() && entry.array()[0].string() == model.pieces.token(i) &&
              is_close(entry.array()[1].number(), model.scores[i]);
    if (is_same) model.scores[i] = score_as_read(entry.array()[1]);
  }
  if (is_same) return;
  throw InputError("its vocabulary is not that of spiece.model with " +
                       std::to_string(model.pieces.count()) + " pieces, extra ids among them",
                   where, "fetch both files, and tokenizer_config.json, again");
}

// Inserts tokens that a file lists with their ids, in id order.
void put_listed(std::vector<AddedToken> listed, const std::string& file,
                SentencePieceTokenizerFiles& files) {
  std::ranges::stable_sort(listed, {}, &AddedToken::id);
  for (const AddedToken& token : listed) {
    put_added_token(token, files.model.pieces, files.added_tokens);
    const auto is_it = [&](const AddedToken& put) { return put.content == token.content; };
    const int32_t id = std::ranges::find_if(files.added_tokens, is_it)->id;
    if (id == token.id) continue;
    throw InputError("the added token " + json_quote(token.content) + " has the id " +
                         std::to_string(token.id) + "; behind the others it is " +
                         std::to_string(id),
                     file, kUseOriginalTokenizer);
  }
}

// Inserts the pieces that SentencePiece never splits: control and user-defined pieces.
void put_tokens_of_model(SentencePieceTokenizerFiles& files) {
  for (size_t i = 0; i < files.model.pieces.count(); ++i) {
    const PieceKind kind = files.model.kinds[i];
    if (kind != PieceKind::control && kind != PieceKind::user_defined) continue;
    AddedToken token{.content = std::string(files.model.pieces.token(i)), .pattern = ""};
    token.special = kind == PieceKind::control;
    put_added_token(std::move(token), files.model.pieces, files.added_tokens);
  }
}

std::vector<AddedToken> special_tokens(const TokenizerSettings& settings, int64_t extra_ids) {
  std::vector<AddedToken> tokens;
  const auto add = [&](const std::string& content) {
    if (content.empty()) return;
    tokens.push_back({.content = content, .pattern = ""});
    tokens.back().special = true;
  };
  add(named_token(settings, "eos_token", "</s>"));
  add(named_token(settings, "unk_token", "<unk>"));
  add(named_token(settings, "pad_token", "<pad>"));
  bool names_extra_ids = false;
  for (AddedToken& token : additional_special_tokens(settings)) {
    names_extra_ids |= token.content.find("<extra_id_") != std::string::npos;
    tokens.push_back(std::move(token));
  }
  for (int64_t i = 0; i < extra_ids && !names_extra_ids; ++i) {
    add("<extra_id_" + std::to_string(i) + ">");
  }
  return tokens;
}

// Reads the tokens of added_tokens.json. Tokens that the settings name as special are found in raw
// text, others, including extra ids, in normalised text.
std::vector<AddedToken> read_added_tokens_json(const fs::path& path,
                                               const TokenizerSettings& settings) {
  std::vector<AddedToken> tokens;
  append_added_tokens_json(path, tokens);
  std::vector<std::string> special;
  for (const char* const key : {"eos_token", "unk_token", "pad_token"}) {
    special.push_back(named_token(settings, key, ""));
  }
  for (const AddedToken& token : additional_special_tokens(settings)) {
    special.push_back(token.content);
  }
  for (AddedToken& token : tokens) {
    token.special = std::ranges::find(special, token.content) != special.end();
    token.normalized = !token.special;
  }
  return tokens;
}

// Inserts added tokens as transformers sets up a fast tokenizer: those of its backend, those that
// the settings list, then missing tokens with a role.
void put_added_tokens(const fs::path& directory, const TokenizerSettings& settings,
                      const Json* tokenizer, int64_t extra_ids,
                      SentencePieceTokenizerFiles& files) {
  const std::string tokenizer_file = (directory / "tokenizer.json").string();
  if (tokenizer != nullptr) {
    put_listed(read_added_token_list(*tokenizer, tokenizer_file), tokenizer_file, files);
  } else {
    put_tokens_of_model(files);
  }
  const std::vector<AddedToken> special = special_tokens(settings, extra_ids);
  const auto same_as = [](const AddedToken& token) {
    return [&](const AddedToken& other) { return other.content == token.content; };
  };
  std::string file = settings.config_file;
  std::vector<AddedToken> listed;
  if (lists_added_tokens(settings)) {
    listed = read_added_tokens_decoder(settings.config, file);
  } else {
    file = (directory / "added_tokens.json").string();
    listed = read_added_tokens_json(file, settings);
    if (tokenizer == nullptr && is_there(tokenizer_file, kFetchAgain)) {
      put_listed(read_added_token_list(Json::parse_file(tokenizer_file), tokenizer_file),
                 tokenizer_file, files);
    }
  }
  for (AddedToken& token : listed) {
    token.special = token.special || std::ranges::any_of(special, same_as(token));
  }
  put_listed(std::move(listed), file, files);
  for (const AddedToken& token : special) {
    if (std::ranges::any_of(files.added_tokens, same_as(token))) continue;
    put_added_token(token, files.model.pieces, files.added_tokens);
  }
}

int64_t require_special(const SentencePieceTokenizerFiles& files, const TokenizerSettings& settings,
                        const std::string& key, const std::string& otherwise,
                        const fs::path& directory) {
  const std::string token = named_token(settings, key, otherwise);
  const int32_t id = files.model.pieces.find(token);
  if (id >= 0) return id;
  for (const AddedToken& added : files.added_tokens) {
    if (added.content == token) return added.id;
  }
  throw InputError("the vocabulary has no " + key + " " + json_quote(token),
                   (directory / "spiece.model").string(), kUseT5);
}

// The pre-tokenization according to add_prefix_space of tokenizer_config.json, if it is set.
// transformers reads null as false, but only without tokenizer.json.
PreTokenization pre_tokenization_of_settings(const TokenizerSettings& settings) {
  PreTokenization pre_tokenization;
  bool is_legacy = true, has_prefix = true;
  const Json* const legacy = settings.config.find("legacy");
  if (legacy != nullptr && !legacy->is_null()) {
    read_flag(settings.config, "legacy", settings.config_file, is_legacy);
  }
  const Json* const prefix = settings.config.find("add_prefix_space");
  if (prefix != nullptr && prefix->is_null()) {
    has_prefix = false;
  } else {
    read_flag(settings.config, "add_prefix_space", settings.config_file, has_prefix);
  }
  using Prefix = PreTokenization::Prefix;
  pre_tokenization.prefix = !has_prefix ? Prefix::never
                            : is_legacy ? Prefix::always
                                        : Prefix::first;
  pre_tokenization.drops_first_blank = has_prefix;
  return pre_tokenization;
}

}  // namespace

SentencePieceTokenizerFiles read_sentencepiece_directory(const fs::path& model_directory) {
  const fs::path spiece_model = model_directory / "spiece.model";
  const fs::path tokenizer_json = model_directory / "tokenizer.json";
  const TokenizerSettings settings = read_tokenizer_settings(model_directory);
  require_t5(settings);
  const int64_t extra_ids = count_extra_ids(settings);

  SentencePieceTokenizerFiles files;
  files.model = parse_sentencepiece_model(read_file(spiece_model), spiece_model.string());
  append_extra_ids(extra_ids, spiece_model.string(), files.model);
  const Json* const prefix = settings.config.find("add_prefix_space");
  const bool is_converted = prefix != nullptr && !prefix->is_null();
  if (!is_converted && is_there(tokenizer_json, kFetchAgain)) {
    const Json tokenizer = Json::parse_file(tokenizer_json);
    take_scores(tokenizer, tokenizer_json.string(), files.model);
    files.pre_tokenization = read_pre_tokenization(tokenizer, tokenizer_json.string());
    put_added_tokens(model_directory, settings, &tokenizer, extra_ids, files);
  } else {
    files.pre_tokenization = pre_tokenization_of_settings(settings);
    put_added_tokens(model_directory, settings, nullptr, extra_ids, files);
  }
  files.eos_id = require_special(files, settings, "eos_token", "</s>", model_directory);
  require_special(files, settings, "pad_token", "<pad>", model_directory);
  files.clean_up_spaces = cleans_up_spaces(settings);
  return files;
}

}  // namespace rubric::text
