// METEOR's modules: every match there can be between the words of two sentences.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/meteor_lexicon.h"
#include "metrics/paraphrase_index.h"

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
  // How many matches cover each word.
  std::vector<int32_t> coverage, candidate_coverage;
};

class MeteorMatcher {
 public:
  explicit MeteorMatcher(const ParaphraseIndex* paraphrases);  // may be null: no such module

  // Sentences of the same words, key by key, are matched exactly only. Throws InputError when there
  // are more matches than could be searched.
  void match(const MeteorSentence& candidate, const MeteorSentence& reference,
             MeteorMatches& matches);

 private:
  void match_paraphrases(const MeteorSentence& candidate, const MeteorSentence& reference,
                         MeteorMatches& matches);
  template <class Add>
  void find_paraphrases(const MeteorSentence& from, const MeteorSentence& to, const Add& add);

  const ParaphraseIndex* paraphrases_;
  // Buffers of find_paraphrases.
  std::vector<int32_t> words_;   // of the one sentence, by the table's numbers
  std::vector<int32_t> target_;  // of the other
  std::vector<int32_t> first_;   // where a word of the table first stands in the other; -1
  std::vector<int32_t> next_;    // where the word at a place stands next; -1
  std::vector<ParaphraseIndex::Found> found_;
};

}  // namespace rubric
