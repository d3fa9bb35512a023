#include <libstemmer.h>

#include "core/error.h"
#include "core/text/utf8.h"
#include "metrics/meteor/data.h"

namespace rubric::metrics {

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
  if (const auto found = known_.find(text); found != known_.end()) return found->second;
  MeteorWord& word = known_[texts_.emplace_back(text)];
  word.key = java_hash(text);
  word.stem_key = java_hash(stem(text));
  if (data_.paraphrases) word.paraphrase_word = data_.paraphrases->word(text);
  word.is_function_word = data_.function_words.contains(std::string(text));
  word.synsets = data_.synonyms.synsets(text);
  return word;
}

void MeteorLexicon::read(std::string_view text, MeteorSentence& sentence) {
  sentence.words.clear();
  sentence.keys.clear();
  sentence.stem_keys.clear();
  sentence.paraphrase_words.clear();
  sentence.phrases.clear();
  sentence.function_words = 0;
  const std::string normalized = normalize_for_meteor(text, data_.prefixes);
  for (const std::string_view text_word : meteor_words(normalized)) {
    const MeteorWord& word = look_up(text_word);
    sentence.words.push_back(&word);
    sentence.keys.push_back(word.key);
    sentence.stem_keys.push_back(word.stem_key);
    sentence.paraphrase_words.push_back(word.paraphrase_word);
    sentence.function_words += word.is_function_word ? 1 : 0;
  }
  if (!data_.paraphrases) return;
  const std::span<const int32_t> numbers = sentence.paraphrase_words;
  for (int32_t i = 0; i < sentence.size(); ++i) {
    data_.paraphrases->find(numbers.subspan(static_cast<size_t>(i)), found_);
    for (const ParaphraseIndex::Found& phrase : found_) sentence.phrases.push_back({i, phrase});
  }
}

bool MeteorLexicon::forget_if_large() {
  constexpr size_t kMostWords = size_t{1} << 18;
  if (known_.size() <= kMostWords) return false;
  known_.clear();
  texts_.clear();
  return true;
}

}  // namespace rubric::metrics
