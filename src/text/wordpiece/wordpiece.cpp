#include "text/wordpiece/wordpiece.h"

#include <algorithm>
#include <utility>

#include "core/hash.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {
namespace {

// max_input_chars_per_word of every published BERT: a longer word is [UNK].
constexpr size_t kLongestWord = 100;

size_t count_characters(std::string_view valid_utf8) {
  return static_cast<size_t>(std::count_if(valid_utf8.begin(), valid_utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string fingerprint_of(const WordPieceModel& model) {
  std::string text = "wordpiece";
  const auto add_flag = [&text](bool flag) { text += flag ? " 1" : " 0"; };
  add_flag(model.options.lowercase);
  add_flag(model.options.strips_accents());
  add_flag(model.options.tokenize_chinese_chars);
  text += tokens_text(model.vocabulary, model.added_tokens);
  return sha256(text);
}

}  // namespace

WordPiece WordPiece::from_directory(const std::filesystem::path& model_directory) {
  return WordPiece(read_wordpiece_directory(model_directory));
}

WordPiece WordPiece::from_vocabulary(const std::filesystem::path& vocab_txt,
                                     const WordPieceOptions& options) {
  return WordPiece(read_wordpiece_vocabulary(vocab_txt, options));
}

WordPiece::WordPiece(WordPieceModel model)
    : fingerprint_(fingerprint_of(model)),
      vocabulary_(std::move(model.vocabulary)),
      options_(model.options),
      size_(count_ids(vocabulary_, model.added_tokens)),
      cls_id_(vocabulary_.find("[CLS]")),
      sep_id_(vocabulary_.find("[SEP]")),
      unk_id_(vocabulary_.find("[UNK]")) {
  for (const AddedToken& token : model.added_tokens) {
    (token.normalized ? normalized_tokens_ : raw_tokens_).add(token);
  }
}

void WordPiece::encode(std::string_view text, std::vector<int64_t>& ids) const {
  struct Scratch {
    std::vector<TextPart> parts, normalized_parts;
    std::string normalized;
  };
  thread_local Scratch scratch;  // reused between texts
  raw_tokens_.split(text, scratch.parts);
  for (const TextPart& part : scratch.parts) {
    if (part.id >= 0) {
      ids.push_back(part.id);
      continue;
    }
    scratch.normalized.clear();
    bert_normalize(part.text, options_, scratch.normalized);
    normalized_tokens_.split(scratch.normalized, scratch.normalized_parts);
    for (const TextPart& inner : scratch.normalized_parts) {
      if (inner.id >= 0) {
        ids.push_back(inner.id);
      } else {
        encode_words(inner.text, ids);
      }
    }
  }
}

void WordPiece::encode_words(std::string_view normalized, std::vector<int64_t>& ids) const {
  std::string_view word;
  for (size_t position = 0; next_word(normalized, position, word);) encode_word(word, ids);
}

// Greedy: takes the longest token that is a prefix of the rest of the word; the whole word is [UNK]
// if nothing matches somewhere.
void WordPiece::encode_word(std::string_view word, std::vector<int64_t>& ids) const {
  if (word.size() > kLongestWord && count_characters(word) > kLongestWord) {
    ids.push_back(unk_id_);
    return;
  }
  const size_t ids_before = ids.size();
  Vocabulary::Match match = vocabulary_.longest_match(word);
  while (match.id >= 0) {
    ids.push_back(match.id);
    word.remove_prefix(match.length);
    if (word.empty()) return;
    match = vocabulary_.longest_match(word, "##");
  }
  ids.resize(ids_before);
  ids.push_back(unk_id_);
}

}  // namespace rubric::text
