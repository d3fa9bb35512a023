#include "metrics/meteor_lexicon.h"

#include <libstemmer.h>

#include "core/error.h"
#include "core/utf8.h"

namespace rubric {

uint32_t java_hash(std::string_view text) {
  constexpr uint32_t kFactor = 31;
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size();) {
    const char32_t c = decode_utf8(text, i);
    if (c < 0x10000) {
      hash = hash * kFactor + c;
    } else {  // two UTF-16 units
      hash = hash * kFactor + (0xD800 + ((c - 0x10000) >> 10));
      hash = hash * kFactor + (0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return hash;
}

MeteorLexicon::MeteorLexicon(const MeteorData& data)
    : data_(data), stemmer_(sb_stemmer_new("english", "UTF_8")) {
  if (stemmer_ == nullptr) throw Error("libstemmer has no English stemmer");
}

MeteorLexicon::~MeteorLexicon() {
  sb_stemmer_delete(stemmer_);
}

std::string_view MeteorLexicon::stem(std::string_view word) {
  const sb_symbol* const stemmed = sb_stemmer_stem(
      stemmer_, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stemmed == nullptr) throw Error("libstemmer is out of memory");
  return {reinterpret_cast<const char*>(stemmed), static_cast<size_t>(sb_stemmer_length(stemmer_))};
}

const MeteorWord& MeteorLexicon::look_up(std::string_view text) {
  const auto [found, is_new] = known_.try_emplace(std::string(text));
  MeteorWord& word = found->second;
  if (!is_new) return word;
  word.key = java_hash(text);
  word.stem_key = java_hash(stem(text));
  if (data_.paraphrases) word.paraphrase_word = data_.paraphrases->word(text);
  word.is_function_word = data_.function_words.contains(found->first);
  word.synsets = data_.synonyms.synsets(text);
  return word;
}

MeteorSentence MeteorLexicon::sentence(std::string_view text) {
  const std::string normalized = normalize_for_meteor(text, data_.prefixes);
  MeteorSentence words;
  for (const std::string_view word : meteor_words(normalized)) words.push_back(&look_up(word));
  return words;
}

void MeteorLexicon::forget_if_large() {
  constexpr size_t kMostWords = size_t{1} << 18;
  if (known_.size() > kMostWords) known_.clear();
}

}  // namespace rubric
