// A BPE with byte fallback from a tokenizer.model alone.
#include "text/byte_bpe/sentencepiece_bpe.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "text/byte_bpe/byte_bpe.h"
#include "text/sentencepiece/sentencepiece_files.h"

namespace rubric::text {
namespace {

size_t count_characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The value of a flag of tokenizer_config.json, where null says nothing.
bool flag_of(const TokenizerSettings& settings, std::string_view key, bool otherwise) {
  const Json* const value = settings.config.find(key);
  if (value != nullptr && !value->is_null()) {
    read_flag(settings.config, key, settings.config_file, otherwise);
  }
  return otherwise;
}

}  // namespace

std::vector<Merge> merges_of_scores(const std::vector<std::string>& tokens,
                                    const std::vector<double>& scores) {
  struct ScoredMerge {
    Merge merge;
    size_t left, right;  // characters
  };
  std::unordered_map<std::string_view, int32_t> ids;
  for (size_t id = 0; id < tokens.size(); ++id) ids.emplace(tokens[id], static_cast<int32_t>(id));
  std::vector<ScoredMerge> found;
  for (size_t token = 0; token < tokens.size(); ++token) {
    const std::string_view text = tokens[token];
    const size_t first = found.size(), length = count_characters(text);
    for (size_t cut = 1, left = 1; cut < text.size(); ++cut) {
      if ((static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) continue;
      const auto begin = ids.find(text.substr(0, cut)), end = ids.find(text.substr(cut));
      if (begin != ids.end() && end != ids.end()) {
        found.push_back(
            {{begin->second, end->second, static_cast<int32_t>(token)}, left, length - left});
      }
      ++left;
    }
    std::sort(found.begin() + static_cast<ptrdiff_t>(first), found.end(),
              [](const ScoredMerge& a, const ScoredMerge& b) {
                return std::pair(a.merge.left, a.merge.right) <
                       std::pair(b.merge.left, b.merge.right);
              });
  }
  const auto rank = [&](const ScoredMerge& m) {
    return std::tuple(scores[static_cast<size_t>(m.merge.merged)], m.left, m.right);
  };
  std::ranges::stable_sort(found, std::ranges::greater(), rank);
  std::vector<Merge> merges;
  for (const ScoredMerge& each : found) merges.push_back(each.merge);
  return merges;
}

ByteBpeModel read_tokenizer_model(const std::filesystem::path& model_directory,
                                  const TokenizerSettings& settings) {
  constexpr std::string_view kLlamas[] = {"LlamaTokenizer", "llama", "mistral", "phi3"};
  const std::filesystem::path file = model_directory / "tokenizer.model";
  const std::string name = tokenizer_class(model_directory, settings);
  if (std::ranges::count(kLlamas, name) == 0) {
    throw InputError(
        "the tokenizer is a " + name +
            ", and without tokenizer.json only LlamaTokenizer's tokenizer.model is read",
        model_directory.string(), "fetch tokenizer.json, too");
  }
  SentencePieceModel pieces =
      parse_sentencepiece_model(read_file(file), file.string(), SentencePieceKind::bpe);
  ByteBpeModel model;
  std::vector<std::string> tokens;
  for (size_t id = 0; id < pieces.pieces.count(); ++id) {
    tokens.emplace_back(pieces.pieces.token(id));
    if (id < 3) pieces.scores[id] = 0;  // as LlamaConverter of transformers
  }
  model.merges = merges_of_scores(tokens, pieces.scores);
  model.unknown_id = pieces.unknown_id;
  model.vocabulary = std::move(pieces.pieces);
  if (lists_added_tokens(settings)) {
    model.added_tokens = read_added_tokens_decoder(settings.config, settings.config_file);
  }
  const auto add = [&](const std::string& content, bool is_special) {
    if (content.empty() || std::ranges::count(model.added_tokens, content, &AddedToken::content)) {
      return;
    }
    AddedToken token{.content = content, .pattern = ""};
    token.special = is_special;
    token.normalized = false;
    put_added_token(std::move(token), model.vocabulary, model.added_tokens);
  };
  for (size_t id = 0; id < tokens.size(); ++id) {
    const bool is_control = pieces.kinds[id] == PieceKind::control;
    if (is_control || pieces.kinds[id] == PieceKind::user_defined) add(tokens[id], is_control);
  }
  const std::string bos = named_token(settings, "bos_token", "<s>"),
                    eos = named_token(settings, "eos_token", "</s>");
  for (const std::string& token : {bos, eos, named_token(settings, "unk_token", "<unk>")}) {
    add(token, true);
  }
  const bool has_prefix = flag_of(settings, "add_prefix_space", true);
  ByteFallback& fallback = model.fallback.emplace();
  fallback.drops_first_space = has_prefix;
  if (flag_of(settings, "legacy", true)) {
    const std::string replace =
        R"({"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"})";
    const std::string prepend = R"({"type": "Prepend", "prepend": "\u2581"}, )";
    model.normalizer =
        Normalizer::from_json(Json::parse(R"({"type": "Sequence", "normalizers": [)" +
                                              (has_prefix ? prepend : "") + replace + "]}",
                                          ""),
                              "");
  } else {
    fallback.has_metaspace = true;
    if (has_prefix) fallback.prefix = PreTokenization::Prefix::first;
  }
  model.marks_first_word = !has_prefix;
  const auto id_of = [&](const std::string& token) -> int64_t {
    return model.vocabulary.find(token);
  };
  if (flag_of(settings, "add_bos_token", true)) model.around.before = {id_of(bos)};
  if (flag_of(settings, "add_eos_token", false)) model.around.after = {id_of(eos)};
  return model;
}

}  // namespace rubric::text
