#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "text/byte_bpe/byte_bpe.h"
#include "text/byte_bpe/sentencepiece_bpe.h"
#include "text/tokenizer_files/token_entries.h"
#include "text/tokenizer_files/tokenizer_json.h"

namespace rubric::text {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUseByteBpe = "use a model with the tokenizer of GPT-2, RoBERTa or BART";

int32_t require_token(const Vocabulary& vocabulary, const std::string& token,
                      const std::string& where) {
  const int32_t id = vocabulary.find(token);
  if (id >= 0) return id;
  throw InputError("the merge does not belong to the vocabulary, which has no " + json_quote(token),
                   where, kUseOriginalTokenizer);
}

Merge make_merge(const Vocabulary& vocabulary, const std::string& left, const std::string& right,
                 const std::string& where) {
  return {require_token(vocabulary, left, where), require_token(vocabulary, right, where),
          require_token(vocabulary, left + right, where)};
}

// Parses "left right", the form of merges.txt and of tokenizer.json in earlier releases.
Merge parse_merge(const Vocabulary& vocabulary, const std::string& text, const std::string& where) {
  const size_t blank = text.find(' ');
  if (blank == std::string::npos || text.find(' ', blank + 1) != std::string::npos) {
    throw InputError("a merge is two tokens with a space between, this is " + json_quote(text),
                     where, kUseOriginalTokenizer);
  }
  return make_merge(vocabulary, text.substr(0, blank), text.substr(blank + 1), where);
}

std::vector<Merge> read_merges_txt(const fs::path& path, const Vocabulary& vocabulary) {
  std::vector<Merge> merges;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    if (line.empty() || (reader.line_number() == 1 && line.starts_with("#version"))) continue;
    merges.push_back(parse_merge(vocabulary, line, reader.where()));
  }
  return merges;
}

std::vector<Merge> read_merge_list(const Json& list, const Vocabulary& vocabulary,
                                   const std::string& where) {
  if (!list.is_array()) {
    throw InputError(std::string("an array is needed, found ") + list.kind(), where,
                     kUseOriginalTokenizer);
  }
  std::vector<Merge> merges;
  for (const Json& entry : list.array()) {
    const std::string place = where + "[" + std::to_string(merges.size()) + "]";
    if (entry.is_string()) {
      merges.push_back(parse_merge(vocabulary, entry.string(), place));
      continue;
    }
    if (!entry.is_array() || entry.array().size() != 2 || !entry.array()[0].is_string() ||
        !entry.array()[1].is_string()) {
      throw InputError("a merge is two tokens", place, kUseOriginalTokenizer);
    }
    const std::string &left = entry.array()[0].string(), &right = entry.array()[1].string();
    merges.push_back(make_merge(vocabulary, left, right, place));
  }
  return merges;
}

// Throws unless `part` (the value of `key`) lacks `field` or has one of `values` (as JSON) there.
void require_value(const Json& part, std::string_view field, const std::vector<std::string>& values,
                   const std::string& where) {
  const Json* const value = part.find(field);
  if (value == nullptr || value->is_null()) return;
  for (const std::string& expected : values) {
    if (value->dump() == expected) return;
  }
  throw InputError("the field " + json_quote(field) + " is " + value->dump() +
                       ", which byte-level BPE does not have here",
                   where, kUseByteBpe);
}

// The published expressions by which a Split of `tokenizers` makes pre-tokens.
PreTokenStep step_of_expression(const std::string& expression, const std::string& where) {
  using Kind = PreTokenStep::Kind;
  constexpr std::string_view kGpt2Expression =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  constexpr std::string_view kWordsExpression =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)";
  constexpr std::string_view kRestExpression =
      R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  const auto is_gpt4 = [&](std::string_view digits) {
    return expression == std::string(kWordsExpression).append(digits).append(kRestExpression);
  };
  if (expression == kGpt2Expression) return {Kind::gpt2};
  // Phi-4 writes the same with possessive quantifiers, which change nothing here.
  constexpr std::string_view kPossessive =
      R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)";
  if (expression == kPossessive || is_gpt4(R"(\p{N}{1,3})")) return {Kind::gpt4, 3};
  if (is_gpt4(R"(\p{N})")) return {Kind::gpt4, 1};
  throw InputError("this version does not split text by the expression " + json_quote(expression),
                   where, "use a model whose tokenizer splits as GPT-2's, Llama 3's or Qwen's");
}

PreTokenStep read_split(const Json& step, const std::string& where) {
  const Json* const expression = step.require("pattern", where).find("Regex");
  // All text matches: without what does not match (Phi-4's way to say it) nothing is left out.
  const char* const behavior = has_value(step, "invert", "true") ? "\"Removed\"" : "\"Isolated\"";
  if (expression == nullptr || !expression->is_string() || !has_value(step, "behavior", behavior)) {
    refuse_step(step, where);
  }
  return step_of_expression(expression->string(), where);
}

// Split and Digits, then ByteLevel, which may split, too.
std::vector<PreTokenStep> read_pre_token_steps(const Json& tokenizer, const std::string& file) {
  const std::string where = file + ": pre_tokenizer";
  const Json& part = tokenizer.require("pre_tokenizer", file);
  std::vector<PreTokenStep> steps;
  bool is_byte_level = false;
  for (const Json* const step : flattened_steps(part, where)) {
    const std::string& type = step->require_string("type", where);
    if (is_byte_level) refuse_step(part, where);
    if (type == "Split") {
      steps.push_back(read_split(*step, where));
    } else if (type == "Digits" && has_value(*step, "individual_digits", "true")) {
      steps.push_back({PreTokenStep::Kind::digits});
    } else if (type == "ByteLevel") {
      is_byte_level = true;
      if (!steps.empty() && has_value(*step, "add_prefix_space", "true")) refuse_step(*step, where);
      if (!has_value(*step, "use_regex", "false")) steps.push_back({});
    } else {
      throw InputError("the pre_tokenizer has the step " + step->dump().substr(0, 200) +
                           "; \"ByteLevel\" is needed, perhaps behind \"Split\" or \"Digits\"",
                       file, kUseByteBpe);
    }
  }
  if (!is_byte_level || steps.empty()) refuse_step(part, where);
  return steps;
}

// Of a BPE with byte fallback: no step, a Metaspace that does not split, or a Split at spaces,
// which the normalizer has made marks of.
ByteFallback read_fallback(const Json& tokenizer, const Normalizer& normalizer,
                           const std::string& file) {
  ByteFallback fallback;
  std::string probe;
  normalizer.normalize("a b", probe);
  const Json& part = tokenizer.require("pre_tokenizer", file);
  const std::string where = file + ": pre_tokenizer";
  for (const Json* const step : flattened_steps(part, where)) {
    if (has_value(*step, "type", "\"Metaspace\"") && has_value(*step, "split", "false")) {
      if (fallback.has_metaspace) refuse_step(part, where);
      fallback.has_metaspace = true;
      fallback.prefix = read_prefix(*step, where);
    } else if (!has_value(*step, "type", "\"Split\"") || probe.find(' ') != std::string::npos ||
               !has_value(step->require("pattern", where), "String", "\" \"")) {
      refuse_step(*step, where);
    }
  }
  constexpr const char* kSteps[] = {R"({"type":"Replace","pattern":{"String":"▁"},"content":" "})",
                                    R"({"type":"ByteFallback"})", R"({"type":"Fuse"})",
                                    R"({"type":"Strip","content":" ","start":1,"stop":0})"};
  const std::string of_decoder = file + ": decoder";
  const Json& decoder = tokenizer.require("decoder", file);
  const std::vector<const Json*> steps = flattened_steps(decoder, of_decoder);
  if (steps.size() < 3 || steps.size() > 4) refuse_step(decoder, of_decoder);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i]->dump() != Json::parse(kSteps[i], "").dump()) refuse_step(*steps[i], of_decoder);
  }
  fallback.drops_first_space = steps.size() == 4;
  return fallback;
}

ByteBpeModel read_byte_bpe_json(const fs::path& path) {
  const std::string file = path.string();
  const Json tokenizer = Json::parse_file(path);
  const Json& model = tokenizer.require("model", file);
  require_value(model, "type", {"\"BPE\""}, file + ": model");
  for (const char* const field : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    require_value(model, field, {"\"\""}, file + ": model");
  }
  require_value(model, "dropout", {"0.0"}, file + ": model");
  ByteBpeModel result;
  result.normalizer =
      Normalizer::from_json(tokenizer.require("normalizer", file), file + ": normalizer");
  if (has_value(model, "byte_fallback", "true")) {
    require_value(model, "ignore_merges", {"false"}, file + ": model");
    result.fallback = read_fallback(tokenizer, result.normalizer, file);
    std::string probe;
    result.normalizer.normalize("a", probe);
    result.marks_first_word =
        result.fallback->prefix == PreTokenization::Prefix::never && !probe.starts_with(kBlankMark);
  } else {
    read_flag(model, "ignore_merges", file + ": model", result.ignores_merges);
    result.steps = read_pre_token_steps(tokenizer, file);
    const Json& decoder = only_step(tokenizer, "decoder", file);
    if (!has_value(decoder, "type", "\"ByteLevel\"")) refuse_step(decoder, file + ": decoder");
  }
  result.vocabulary = read_vocabulary(model.require("vocab", file + ": model"), file + ": vocab");
  result.merges = read_merge_list(model.require("merges", file + ": model"), result.vocabulary,
                                  file + ": merges");
  const Json* const unknown = model.find("unk_token");
  if (unknown != nullptr && unknown->is_string()) {
    result.unknown_id = result.vocabulary.find(unknown->string());
    if (result.unknown_id < 0) {
      throw InputError("the vocabulary has no unk_token " + json_quote(unknown->string()),
                       file + ": model", kUseOriginalTokenizer);
    }
  }
  read_flag(model, "fuse_unk", file + ": model", result.fuses_unknown);
  result.added_tokens = read_added_token_list(tokenizer, file);
  result.around = read_tokens_around(tokenizer, file);
  return result;
}

bool is_class_of_deberta(std::string_view name) {
  constexpr std::string_view kClasses[] = {"DebertaTokenizer", "deberta"};
  return std::ranges::count(kClasses, name) > 0;
}

// The special tokens of RoBERTa, BART and GPT-2 that the vocabulary has, or all of DeBERTa's.
std::vector<AddedToken> special_tokens(const Vocabulary& vocabulary, bool is_deberta) {
  std::vector<AddedToken> tokens;
  if (is_deberta) {
    for (const char* const content : {"[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"}) {
      AddedToken token{.content = content, .pattern = ""};
      token.lstrip = token.normalized = token.content == "[MASK]";
      put_added_token(std::move(token), vocabulary, tokens);
    }
    return tokens;
  }
  for (const char* const content : {"<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"}) {
    const int32_t id = vocabulary.find(content);
    if (id < 0) continue;
    tokens.push_back({.content = content, .pattern = "", .id = id});
    const bool is_mask = tokens.back().content == "<mask>";
    tokens.back().lstrip = is_mask;
    tokens.back().normalized = !is_mask;
  }
  return tokens;
}

ByteBpeModel read_vocabulary_and_merges(const fs::path& directory, const Json& config,
                                        const std::string& config_file, bool is_deberta) {
  const fs::path vocab_json = directory / "vocab.json", merges_txt = directory / "merges.txt";
  if (!fs::exists(vocab_json) || !fs::exists(merges_txt)) {
    throw InputError("no tokenizer.json, and not both of vocab.json and merges.txt",
                     directory.string(), "give a model directory with its tokenizer files");
  }
  ByteBpeModel model;
  model.vocabulary = read_vocabulary(Json::parse_file(vocab_json), vocab_json.string());
  model.merges = read_merges_txt(merges_txt, model.vocabulary);
  model.added_tokens = config.find("added_tokens_decoder") != nullptr
                           ? read_added_tokens_decoder(config, config_file)
                           : special_tokens(model.vocabulary, is_deberta);
  return model;
}

// The id of a token; -1 if the model has no such token.
int64_t id_of(const ByteBpeModel& model, const std::string& token) {
  for (const AddedToken& added : model.added_tokens) {
    if (added.content == token) return added.id;
  }
  return token.empty() ? -1 : model.vocabulary.find(token);
}

// Finds the tokens with a role (cls, sep, eos, …), and marks them as special added tokens. Throws
// InputError naming `where` when a token around a text is missing: transformers would add it with
// an id that the model does not know.
void read_special_tokens(const TokenizerSettings& settings, const std::string& where,
                         bool is_deberta, ByteBpeModel& model) {
  const bool has_bart = model.vocabulary.find("<s>") >= 0;
  const bool is_gpt2 = !is_deberta && !has_bart && model.vocabulary.find("<|endoftext|>") >= 0;
  const bool has_roles = is_deberta || is_gpt2 || has_bart || !is_of_no_class(settings);
  const std::string begin = !has_roles   ? ""
                            : is_deberta ? "[CLS]"
                            : is_gpt2    ? "<|endoftext|>"
                                         : "<s>";
  const std::string end = !has_roles   ? ""
                          : is_deberta ? "[SEP]"
                          : is_gpt2    ? "<|endoftext|>"
                                       : "</s>";
  const auto otherwise = [&](const char* of_roberta, const char* of_deberta) {
    return is_deberta ? of_deberta : is_gpt2 || !has_roles ? "" : of_roberta;
  };
  std::vector<std::string> special;
  const auto name = [&](std::string_view key, const std::string& usual) {
    special.push_back(named_token(settings, key, usual));
    return id_of(model, special.back());
  };
  const auto require_name = [&](const std::string& key, const std::string& usual) {
    const int64_t id = name(key, usual);
    if (id >= 0 || special.back().empty()) return id;
    throw InputError("the vocabulary has no " + key + " " + json_quote(special.back()), where,
                     kUseOriginalTokenizer);
  };
  require_name("bos_token", begin);
  model.eos_id = require_name("eos_token", end);
  name("pad_token", otherwise("<pad>", "[PAD]"));
  model.cls_id = name("cls_token", otherwise("<s>", "[CLS]"));
  model.sep_id = name("sep_token", otherwise("</s>", "[SEP]"));
  name("unk_token", is_gpt2 ? end : otherwise("<unk>", "[UNK]"));
  name("mask_token", otherwise("<mask>", "[MASK]"));
  for (const AddedToken& token : additional_special_tokens(settings)) {
    special.push_back(token.content);
  }
  for (AddedToken& token : model.added_tokens) {
    token.special = token.special || std::ranges::find(special, token.content) != special.end();
  }
}

// The tokens around a text, of a folder without tokenizer.json. Without any file that names a class
// of tokenizer, the vocabulary tells RoBERTa's from GPT-2's.
TokensAround tokens_around(const fs::path& directory, const TokenizerSettings& settings,
                           const ByteBpeModel& model) {
  constexpr std::string_view kGpt2Classes[] = {"GPT2Tokenizer", "gpt2"};
  constexpr std::string_view kRobertaClasses[] = {"RobertaTokenizer", "roberta", "BartTokenizer",
                                                  "bart"};
  const std::string name = tokenizer_class(directory, settings);
  if (std::ranges::count(kRobertaClasses, name) > 0 || is_class_of_deberta(name) ||
      (name.empty() && model.cls_id >= 0)) {
    return {{model.cls_id}, {model.sep_id}, is_class_of_deberta(name) ? 1 : 2};
  }
  if (!name.empty() && std::ranges::count(kGpt2Classes, name) == 0) {
    throw InputError("the tokenizer is a " + name +
                         ", and without tokenizer.json only those of RoBERTa, BART, DeBERTa "
                         "and GPT-2 are known to put which tokens around a text",
                     directory.string(),
                     "name its tokenizer_class in tokenizer_config.json (RobertaTokenizer, "
                     "BartTokenizer, DebertaTokenizer, GPT2Tokenizer), or add its tokenizer.json");
  }
  bool adds_bos = false;
  read_flag(settings.config, "add_bos_token", settings.config_file, adds_bos);
  if (!adds_bos) return {};
  return {{id_of(model, named_token(settings, "bos_token", "<|endoftext|>"))}, {}};
}

// A tokenizer.json may lack bytes that its training never saw (SmolLM2's control characters): they
// become `unknown`, or nothing without one. Letters and digits are in every byte-level vocabulary.
void require_bytes(bool may_lack_some, const std::string& where, ByteBpeModel& model) {
  bool lacks_some = false;
  for (int byte = 0; byte < 256; ++byte) {
    const auto value = static_cast<uint8_t>(byte);
    const std::string token = model.fallback ? byte_token(value) : byte_character(value);
    if (model.vocabulary.find(token) >= 0) continue;
    lacks_some = true;
    if (may_lack_some && std::isalnum(byte) == 0) continue;
    throw InputError("the vocabulary has no token " + json_quote(token) + " for the byte " +
                         std::to_string(byte) + ": it is not byte-level",
                     where, kUseByteBpe);
  }
  if (!lacks_some) model.unknown_id = -1;
}

}  // namespace

ByteBpeModel read_byte_bpe_directory(const fs::path& model_directory) {
  const fs::path tokenizer_json = model_directory / "tokenizer.json";
  const fs::path config_json = model_directory / "tokenizer_config.json";
  const TokenizerSettings settings = read_tokenizer_settings(model_directory);
  const Json& config = settings.config;
  const bool is_deberta = is_class_of_deberta(tokenizer_class(model_directory, settings));
  const bool is_one_file = is_there(tokenizer_json, "fetch the model again, or name another one");
  const bool has_model = !is_one_file && is_there(model_directory / "tokenizer.model",
                                                  "fetch the model again, or name another one");
  ByteBpeModel model = is_one_file ? read_byte_bpe_json(tokenizer_json)
                       : has_model ? read_tokenizer_model(model_directory, settings)
                                   : read_vocabulary_and_merges(model_directory, config,
                                                                config_json.string(), is_deberta);
  if (!lists_added_tokens(settings)) {
    append_added_tokens_json(model_directory / "added_tokens.json", model.added_tokens);
  }
  const fs::path file = is_one_file ? tokenizer_json
                        : has_model ? model_directory / "tokenizer.model"
                                    : model_directory / "vocab.json";
  require_bytes(is_one_file && !model.fallback, file.string(), model);
  check_added_tokens(model.added_tokens, model.vocabulary, file.string());
  if (!has_model) {
    read_flag(config, "add_prefix_space", config_json.string(), model.add_prefix_space);
  }
  read_special_tokens(settings, file.string(), is_deberta, model);
  if (!is_one_file && !has_model) model.around = tokens_around(model_directory, settings, model);
  if (is_deberta || is_of_no_class(settings)) model.marks_first_word = false;
  model.clean_up_spaces = cleans_up_spaces(settings);
  return model;
}

}  // namespace rubric::text
