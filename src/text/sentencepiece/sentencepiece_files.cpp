#include "text/sentencepiece/sentencepiece_files.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "text/tokenizer_files/token_entries.h"
#include "text/tokenizer_files/tokenizer_json.h"

namespace rubric::text {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kExtraIds = 100;
constexpr const char* kFetchAgain = "fetch the model again, or name another one";
constexpr const char* kUseT5 = "use a model with the tokenizer of T5";

enum class Family { t5, xlm_roberta, rembert, deberta, as_named };

// The classes of tokenizers, and the types of models, by which transformers chooses one.
constexpr std::pair<std::string_view, Family> kFamilies[] = {
    {"T5Tokenizer", Family::t5},
    {"MT5Tokenizer", Family::t5},
    {"t5", Family::t5},
    {"mt5", Family::t5},
    {"XLMRobertaTokenizer", Family::xlm_roberta},
    {"xlm-roberta", Family::xlm_roberta},
    {"DebertaV2Tokenizer", Family::deberta},
    {"deberta-v2", Family::deberta},
    {"BleurtSPTokenizer", Family::deberta},
    {"RemBertTokenizer", Family::rembert},
    {"rembert", Family::rembert},
    {"PreTrainedTokenizer", Family::as_named},
    {"TokenizersBackend", Family::as_named},
};

Family family_of(const fs::path& directory, const TokenizerSettings& settings) {
  const std::string name = tokenizer_class(directory, settings);
  if (name.empty()) return Family::t5;
  for (const auto& [known, family] : kFamilies) {
    if (name == known) return family;
  }
  throw InputError(
      "the tokenizer is a " + name +
          "; of those with a unigram model this version has T5's, XLM-RoBERTa's, RemBERT's, "
          "DeBERTa's, and those of the class PreTrainedTokenizerFast",
      settings.config_file, "name its class in tokenizer_config.json, or use another model");
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

// Checks that spiece.model, with T5's extra ids, has the pieces of the tokenizer.json beside it.
void require_same_pieces(const SentencePieceModel& model, const SentencePieceModel& of_spiece,
                         const std::string& file) {
  bool is_same = model.pieces.count() == of_spiece.pieces.count();
  for (size_t i = 0; is_same && i < model.pieces.count(); ++i) {
    is_same = model.pieces.token(i) == of_spiece.pieces.token(i) &&
              is_close(model.scores[i], of_spiece.scores[i]);
  }
  if (is_same) return;
  throw InputError("its vocabulary is not that of spiece.model with " +
                       std::to_string(of_spiece.pieces.count()) + " pieces, extra ids among them",
                   file + ": model", "fetch both files, and tokenizer_config.json, again");
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

// The names of the tokens with a role, where no file names them; "": none.
struct RoleTokens {
  std::string bos, eos, unk, sep, pad, cls, mask;
  bool mask_takes_blanks = false;   // those before it
  bool unk_is_normalized = false;   // found in normalised text
  bool mask_is_normalized = false;  // likewise
};

RoleTokens role_tokens(Family family, const TokenizerSettings& settings) {
  RoleTokens roles;
  if (family == Family::t5) {
    roles.eos = "</s>";
    roles.unk = "<unk>";
    roles.pad = "<pad>";
  } else if (family == Family::xlm_roberta) {
    roles = {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>", true, false, true};
  } else if (family == Family::deberta) {
    roles = {"[CLS]", "[SEP]", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]", false, true};
  } else if (family == Family::rembert) {
    roles = {"[CLS]", "[SEP]", "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]", true};
  }
  for (const auto& [key, token] : {std::pair{"bos_token", &roles.bos},
                                   {"eos_token", &roles.eos},
                                   {"unk_token", &roles.unk},
                                   {"sep_token", &roles.sep},
                                   {"pad_token", &roles.pad},
                                   {"cls_token", &roles.cls},
                                   {"mask_token", &roles.mask}}) {
    *token = named_token(settings, key, *token);
  }
  return roles;
}

std::vector<AddedToken> special_tokens(const TokenizerSettings& settings, const RoleTokens& roles,
                                       int64_t extra_ids) {
  std::vector<AddedToken> tokens;
  const auto add = [&](const std::string& content) {
    const auto is_it = [&](const AddedToken& token) { return token.content == content; };
    if (content.empty() || std::ranges::any_of(tokens, is_it)) return;
    tokens.push_back({.content = content, .pattern = ""});
    tokens.back().special = true;
    tokens.back().lstrip = roles.mask_takes_blanks && content == roles.mask;
    tokens.back().normalized = (roles.mask_is_normalized && content == roles.mask) ||
                               (roles.unk_is_normalized && content == roles.unk);
  };
  for (const std::string* const role :
       {&roles.bos, &roles.eos, &roles.unk, &roles.sep, &roles.pad, &roles.cls, &roles.mask}) {
    add(*role);
  }
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
  for (const char* const key : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token",
                                "cls_token", "mask_token"}) {
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
// the settings list, then missing tokens with a role. Of a SentencePiece model's own tokens a mask
// takes the blanks before it.
void put_added_tokens(const fs::path& directory, const TokenizerSettings& settings,
                      const Json* tokenizer, const std::vector<AddedToken>& special,
                      SentencePieceTokenizerFiles& files) {
  const std::string tokenizer_file = (directory / "tokenizer.json").string();
  if (tokenizer != nullptr) {
    put_listed(read_added_token_list(*tokenizer, tokenizer_file), tokenizer_file, files);
  } else {
    put_tokens_of_model(files);
    for (const AddedToken& token : special) {
      if (token.lstrip) put_added_token(token, files.model.pieces, files.added_tokens);
    }
  }
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

// The id of a token; -1 if there is no such token.
int64_t id_of(const SentencePieceTokenizerFiles& files, const std::string& token) {
  if (token.empty()) return -1;
  for (const AddedToken& added : files.added_tokens) {
    if (added.content == token) return added.id;
  }
  return files.model.pieces.find(token);
}

void require_token(int64_t id, const std::string& key, const std::string& token,
                   const std::string& file) {
  if (id >= 0) return;
  throw InputError("the vocabulary has no " + key + " " + json_quote(token), file, kUseT5);
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

// Whether transformers makes the tokenizer of spiece.model, though there is a tokenizer.json.
bool is_converted(const TokenizerSettings& settings) {
  const Json* const prefix = settings.config.find("add_prefix_space");
  return prefix != nullptr && !prefix->is_null();
}

SentencePieceModel read_spiece_model(const fs::path& file, int64_t extra_ids) {
  SentencePieceModel model = parse_sentencepiece_model(read_file(file), file.string());
  append_extra_ids(extra_ids, file.string(), model);
  return model;
}

// The normalizer of RemBERT's model, which tokenizer_config.json may change.
Normalizer rembert_normalizer(const SentencePieceModel& model, const TokenizerSettings& settings,
                              const std::string& file) {
  bool keeps_accents = true, lowercases = false;
  read_flag(settings.config, "keep_accents", settings.config_file, keeps_accents);
  read_flag(settings.config, "do_lower_case", settings.config_file, lowercases);
  return Normalizer::of_rembert_model(model.charsmap, keeps_accents, lowercases, file);
}

// XLM-RoBERTa's ids of a sentencepiece.bpe.model, which are fairseq's: its special tokens first, in
// the place of SentencePiece's three, and <mask> last (XLMRobertaConverter of transformers).
SentencePieceModel read_fairseq_model(const fs::path& file) {
  const SentencePieceModel published = parse_sentencepiece_model(read_file(file), file.string());
  constexpr std::string_view kFirst[] = {"<unk>", "<s>", "</s>"};
  SentencePieceModel model;
  const auto add = [&](std::string_view piece, double score, PieceKind kind) {
    add_checked(piece, static_cast<int64_t>(model.scores.size()), file.string(), model.pieces);
    model.scores.push_back(score);
    model.kinds.push_back(kind);
  };
  add("<s>", 0, PieceKind::control);
  add("<pad>", 0, PieceKind::control);
  add("</s>", 0, PieceKind::control);
  model.unknown_id = static_cast<int32_t>(model.scores.size());
  add("<unk>", 0, PieceKind::unknown);
  for (size_t i = 0; i < published.pieces.count(); ++i) {
    if (i >= std::size(kFirst)) {
      add(published.pieces.token(i), published.scores[i], published.kinds[i]);
    } else if (published.pieces.token(i) != kFirst[i]) {
      throw InputError("piece " + std::to_string(i) + " is not " + std::string(kFirst[i]) +
                           ", as XLM-RoBERTa's is",
                       file.string(), kUseOriginalTokenizer);
    }
  }
  add("<mask>", 0, PieceKind::normal);
  model.charsmap = published.charsmap;
  return model;
}

}  // namespace

SentencePieceModel read_unigram_json(const Json& tokenizer, const std::string& file) {
  const Json& unigram = tokenizer.require("model", file);
  const std::string where = file + ": model";
  if (unigram.require_string("type", where) != "Unigram") {
    throw InputError("the model is not a Unigram model", where, kUseT5);
  }
  if (has_value(unigram, "byte_fallback", "true")) {
    throw InputError(
        "the field \"byte_fallback\" is true: this version does not split unknown "
        "characters into bytes",
        where, kUseT5);
  }
  SentencePieceModel model;
  for (const Json& entry : unigram.require_array("vocab", where)) {
    const std::string place = where + ": vocab[" + std::to_string(model.scores.size()) + "]";
    const bool is_piece = entry.is_array() && entry.array().size() == 2 &&
                          entry.array()[0].is_string() && entry.array()[1].is_number();
    if (!is_piece) {
      throw InputError("a piece is a text with a score", place, kUseOriginalTokenizer);
    }
    add_checked(entry.array()[0].string(), static_cast<int64_t>(model.scores.size()), place,
                model.pieces);
    model.scores.push_back(score_as_read(entry.array()[1]));
    model.kinds.push_back(PieceKind::normal);
  }
  const int64_t unknown = unigram.require_integer("unk_id", where);
  if (unknown < 0 || unknown >= std::ssize(model.scores)) {
    throw InputError("unk_id is " + std::to_string(unknown) + "; the vocabulary has " +
                         std::to_string(model.scores.size()) + " pieces",
                     where, kUseOriginalTokenizer);
  }
  model.unknown_id = static_cast<int32_t>(unknown);
  model.kinds[static_cast<size_t>(unknown)] = PieceKind::unknown;
  return model;
}

SentencePieceTokenizerFiles read_sentencepiece_directory(const fs::path& model_directory) {
  const fs::path spiece_model = model_directory / "spiece.model";
  const fs::path bpe_model = model_directory / "sentencepiece.bpe.model";
  const fs::path rembert_model = model_directory / "sentencepiece.model";
  const fs::path spm_model = model_directory / "spm.model";
  const fs::path tokenizer_json = model_directory / "tokenizer.json";
  const TokenizerSettings settings = read_tokenizer_settings(model_directory);
  const Family family = family_of(model_directory, settings);
  const bool is_t5 = family == Family::t5, is_rembert = family == Family::rembert;
  const bool is_deberta = family == Family::deberta;
  const int64_t extra_ids = is_t5 ? count_extra_ids(settings) : 0;
  const RoleTokens roles = role_tokens(family, settings);
  const std::vector<AddedToken> special = special_tokens(settings, roles, extra_ids);
  const bool has_spiece = is_t5 && is_there(spiece_model, kFetchAgain);
  const bool has_json = is_there(tokenizer_json, kFetchAgain);

  SentencePieceTokenizerFiles files;
  const bool uses_json = has_json && !(is_t5 && is_converted(settings));
  const std::string file = (uses_json    ? tokenizer_json
                            : is_t5      ? spiece_model
                            : is_deberta ? spm_model
                            : is_rembert ? rembert_model
                                         : bpe_model)
                               .string();
  if (uses_json) {
    const Json tokenizer = Json::parse_file(tokenizer_json);
    files.model = read_unigram_json(tokenizer, file);
    if (has_spiece) {
      require_same_pieces(files.model, read_spiece_model(spiece_model, extra_ids), file);
    }
    files.normalizer =
        Normalizer::from_json(tokenizer.require("normalizer", file), file + ": normalizer");
    files.pre_tokenization = read_pre_tokenization(tokenizer, file);
    files.around = read_tokens_around(tokenizer, file);
    put_added_tokens(model_directory, settings, &tokenizer, special, files);
  } else {
    if (family == Family::as_named) {
      throw InputError("no tokenizer.json, from which a tokenizer of this class is read",
                       model_directory.string(), "fetch tokenizer.json, too");
    }
    files.model = family == Family::xlm_roberta ? read_fairseq_model(bpe_model)
                                                : read_spiece_model(file, extra_ids);
    if (is_deberta) {
      bool lowercases = false;
      read_flag(settings.config, "do_lower_case", settings.config_file, lowercases);
      read_flag(settings.config, "split_by_punct", settings.config_file,
                files.pre_tokenization.splits_at_punctuation);
      files.normalizer = Normalizer::of_deberta_model(files.model.charsmap, lowercases, file);
    } else {
      files.normalizer = is_rembert ? rembert_normalizer(files.model, settings, file)
                                    : Normalizer::of_spiece_model(files.model.charsmap, file);
      files.pre_tokenization = pre_tokenization_of_settings(settings);
    }
    put_added_tokens(model_directory, settings, nullptr, special, files);
  }
  files.cls_id = id_of(files, roles.cls);
  files.sep_id = id_of(files, roles.sep);
  files.eos_id = id_of(files, roles.eos);
  if (is_t5) {
    require_token(files.eos_id, "eos_token", roles.eos, file);
    require_token(id_of(files, roles.pad), "pad_token", roles.pad, file);
  }
  if (!uses_json) {
    files.around.after = {files.eos_id};
    if (!is_t5) files.around.before = {id_of(files, roles.bos)};
    if (family == Family::xlm_roberta) files.around.separators = 2;
  }
  files.clean_up_spaces = cleans_up_spaces(settings);
  return files;
}

}  // namespace rubric::text
