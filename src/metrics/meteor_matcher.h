// METEOR's modules: every match there can be between the words of two sentences.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "metrics/meteor_lexicon.h"

namespace rubric {

enum class MeteorModule : uint8_t { exact, stem, synonym, paraphrase };
inline constexpr int kMeteorModules = 4;

// Words [start, start + length) of the reference stand for words [candidate_start, candidate_start
// + candidate_length) of the candidate. One module matches one word with one, but for paraphrases.
struct MeteorMatch {
  int32_t start, candidate_start;
  uint8_t length, candidate_length;  // at most kLongestPhrase
  MeteorModule module;
};

struct MeteorMatches {
  // by_start[i]: those that start at the reference's word i, in the order in which METEOR finds
  // them, which decides between equally good alignments. A pair that stands in the paraphrase table
  // both ways is there twice.
  std::vector<std::vector<MeteorMatch>> by_start;
  std::vector<int32_t> coverage, candidate_coverage;  // how many matches cover each word
  size_t count = 0;
};

class MeteorMatcher {
 public:
  explicit MeteorMatcher(size_t paraphrase_words);  // how many words the table has; 0: no table

  // Sentences of the same words are matched exactly only. Throws InputError when there are more
  // matches than could be searched.
  void match(const MeteorSentence& candidate, const MeteorSentence& reference,
             MeteorMatches& matches);

 private:
  void match_synonyms(const MeteorSentence& candidate, const MeteorSentence& reference,
                      MeteorMatches& matches);
  template <class Add>
  void find_paraphrases(const MeteorSentence& from, const MeteorSentence& to, const Add& add);

  // Buffer of match_synonyms: which synsets (modulo its size) the candidate's words may stand in.
  std::bitset<size_t{1} << 14> synsets_;
  // Buffers of find_paraphrases.
  std::vector<int32_t> first_;  // by word of the table: where it stands first in `to`; -1: nowhere
  std::vector<int32_t> next_;   // by place in `to`: where the word there stands next; -1: nowhere
};

}  // namespace rubric
