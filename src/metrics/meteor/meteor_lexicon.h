// What METEOR's modules know of a word.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metrics/meteor/meteor_data.h"

struct sb_stemmer;

namespace rubric {

struct MeteorWord {
  // Equal keys are equal words, equal stem keys equal stems: Java's String.hashCode(), which METEOR
  // compares in their place, so that two words with one hash match here as they do there.
  uint32_t key = 0, stem_key = 0;
  int32_t paraphrase_word = -1;  // its number in the paraphrase table
  bool is_function_word = false;
  std::vector<int32_t> synsets;  // sorted
};

// The words of a text, and what of them is looked at most in arrays of its own.
struct MeteorSentence {
  std::vector<const MeteorWord*> words;
  std::vector<uint32_t> keys, stem_keys;
  std::vector<int32_t> paraphrase_words;
  struct Phrase {
    int32_t start;
    ParaphraseIndex::Found found;
  };
  std::vector<Phrase> phrases;  // that the paraphrase table has; by start, then by length
  int32_t function_words = 0;   // how many

  int32_t size() const { return static_cast<int32_t>(words.size()); }
};

// Remembers the words it was asked for.
class MeteorLexicon {
 public:
  explicit MeteorLexicon(const MeteorData& data);  // which must outlive it
  ~MeteorLexicon();
  MeteorLexicon(const MeteorLexicon&) = delete;
  MeteorLexicon& operator=(const MeteorLexicon&) = delete;

  // A text as it came, into a sentence that may have been another one. Its words stand until they
  // are forgotten.
  void read(std::string_view text, MeteorSentence& sentence);

  // Keeps memory bounded. Says whether it has forgotten all words.
  bool forget_if_large();

 private:
  const MeteorWord& look_up(std::string_view word);
  std::string_view stem(std::string_view word);

  const MeteorData& data_;
  sb_stemmer* stemmer_;
  std::deque<std::string> texts_;  // that known_ refers to
  std::unordered_map<std::string_view, MeteorWord> known_;
  std::vector<ParaphraseIndex::Found> found_;  // buffer of read()
};

uint32_t java_hash(std::string_view text);  // String.hashCode() of valid UTF-8

}  // namespace rubric
