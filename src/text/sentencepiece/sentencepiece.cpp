#include "text/sentencepiece/sentencepiece.h"

#include <utility>

#include "core/hash.h"
#include "core/json/json.h"
#include "core/text/utf8.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {
namespace {

void normalize(const PreTokenization& cutting, const Charsmap& charsmap, std::string_view text,
               std::string& out) {
  out.clear();
  if (cutting.replaces_characters) {
    charsmap.append_normalized(text, out);
  } else {
    out = text;
  }
  normalize_white_space(cutting, out);
}

std::string fingerprint_of(const SentencePieceTokenizerFiles& files) {
  const PreTokenization& cutting = files.cutting;
  std::string text = "sentencepiece " + std::to_string(files.model.unknown_id) + " " +
                     std::to_string(static_cast<int>(cutting.prefix)) + " " +
                     json_quote(cutting.blank_run);
  for (const bool flag :
       {cutting.replaces_characters, cutting.strips_end, cutting.splits_at_white_space}) {
    text += flag ? " 1" : " 0";
  }
  text += " " + sha256(files.model.charsmap) + tokens_text(files.model.pieces, files.added_tokens);
  for (const double score : files.model.scores) text += "\n" + Json(score).dump();
  return sha256(text);
}

GenerationTokens tokens_of(const SentencePieceTokenizerFiles& files) {
  return {.table = TokenTable(files.model.pieces, files.added_tokens),
          .eos_id = files.eos_id,
          .clean_up_spaces = files.clean_up_spaces};
}

}  // namespace

SentencePiece SentencePiece::from_directory(const std::filesystem::path& model_directory,
                                            const std::vector<std::string>& added_tokens) {
  SentencePieceTokenizerFiles files = read_sentencepiece_directory(model_directory);
  add_new_tokens(added_tokens, files.model.pieces, files.added_tokens);
  const std::string where = (model_directory / "spiece.model").string();
  Charsmap charsmap(files.model.charsmap, where);
  for (AddedToken& token : files.added_tokens) {
    token.pattern = token.content;
    if (!token.normalized) continue;
    normalize(files.cutting, charsmap, token.content, token.pattern);
    check_token(token.pattern, where + ": added token " + json_quote(token.content));
  }
  return SentencePiece(std::move(files), std::move(charsmap));
}

SentencePiece::SentencePiece(SentencePieceTokenizerFiles files, Charsmap charsmap)
    : GenerationTokenizer(tokens_of(files)),
      fingerprint_(fingerprint_of(files)),
      cutting_(std::move(files.cutting)),
      charsmap_(std::move(charsmap)),
      unigram_(files.model.pieces, files.model.scores, files.model.unknown_id),
      size_(count_ids(files.model.pieces, files.added_tokens)) {
  for (const AddedToken& token : files.added_tokens) {
    (token.normalized ? normalized_tokens_ : raw_tokens_).add(token);
  }
}

void SentencePiece::encode(std::string_view text, std::vector<int64_t>& ids) const {
  struct Scratch {
    std::vector<TextPart> parts, inner_parts;
    std::string repaired, normalized;
  };
  thread_local Scratch scratch;  // reused between texts
  if (!is_valid_utf8(text)) text = scratch.repaired = repair_utf8(text);
  raw_tokens_.split(text, scratch.parts);
  for (const TextPart& part : scratch.parts) {
    if (part.id >= 0) {
      ids.push_back(part.id);
      continue;
    }
    const bool starts_text = part.text.data() == text.data();
    normalize(cutting_, charsmap_, part.text, scratch.normalized);
    normalized_tokens_.split(scratch.normalized, scratch.inner_parts);
    for (const TextPart& inner : scratch.inner_parts) {
      if (inner.id >= 0) {
        ids.push_back(inner.id);
      } else {
        const bool is_first = starts_text && inner.text.data() == scratch.normalized.data();
        encode_normalized(inner.text, is_first, ids);
      }
    }
  }
}

void SentencePiece::encode_normalized(std::string_view text, bool starts_text,
                                      std::vector<int64_t>& ids) const {
  for_each_word(cutting_, text, starts_text,
                [&](std::string_view word) { unigram_.append_ids(word, ids); });
}

// As the decoder Metaspace of `tokenizers`, which removes all spaces of the first token.
std::string SentencePiece::join(std::span<const std::string_view> tokens) const {
  std::string text;
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::string_view rest = tokens[i];
    while (!rest.empty()) {
      const size_t mark = std::min(rest.find(kBlankMark), rest.size());
      text += rest.substr(0, mark);
      if (mark == rest.size()) break;
      if (i > 0 || !cutting_.drops_first_blank) text += ' ';
      rest.remove_prefix(mark + kBlankMark.size());
    }
  }
  return text;
}

}  // namespace rubric::text
