// What METEOR's modules know of a word.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "metrics/meteor_data.h"

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

using MeteorSentence = std::vector<const MeteorWord*>;

// Remembers the words it was asked for.
class MeteorLexicon {
 public:
  explicit MeteorLexicon(const MeteorData& data);  // which must outlive it
  ~MeteorLexicon();
  MeteorLexicon(const MeteorLexicon&) = delete;
  MeteorLexicon& operator=(const MeteorLexicon&) = delete;

  // The words of a text as it came. They stand until forget().
  MeteorSentence sentence(std::string_view text);

  void forget_if_large();  // so that memory stays bounded

 private:
  const MeteorWord& look_up(std::string_view word);
  std::string_view stem(std::string_view word);

  const MeteorData& data_;
  sb_stemmer* stemmer_;
  std::unordered_map<std::string, MeteorWord> known_;
};

uint32_t java_hash(std::string_view text);  // String.hashCode() of valid UTF-8

}  // namespace rubric
