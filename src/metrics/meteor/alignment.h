// METEOR's modules: every match there can be between the words of two sentences.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/meteor/data.h"

namespace rubric::metrics {

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

// Where the words of the paraphrase table stand in a sentence.
class MeteorPlaces {
 public:
  explicit MeteorPlaces(size_t paraphrase_words) : first_(paraphrase_words, -1) {}

  void assign(const MeteorSentence& sentence);

  int32_t first(uint16_t word) const { return first_[word]; }                      // -1: nowhere
  int32_t next(int32_t place) const { return next_[static_cast<size_t>(place)]; }  // -1: nowhere
  std::span<const int32_t> words() const { return words_; }

 private:
  std::vector<int32_t> words_;  // the sentence, by their numbers in the table
  std::vector<int32_t> first_;  // by word of the table: where it stands first
  std::vector<int32_t> next_;   // by place: where the word there stands next
};

// Holds what the matches of one candidate with all its references have in common.
class MeteorMatcher {
 public:
  explicit MeteorMatcher(size_t paraphrase_words);  // how many words the table has; 0: no table

  void set_candidate(const MeteorSentence& candidate);  // which must outlive its matches

  // Sentences of the same words are matched exactly only. Throws InputError when there are more
  // matches than could be searched.
  void match(const MeteorSentence& reference, MeteorMatches& matches);

 private:
  void match_synonyms(const MeteorSentence& reference, MeteorMatches& matches) const;

  const MeteorSentence* candidate_ = nullptr;
  // Which synsets (modulo its size) the candidate's words may stand in.
  std::bitset<size_t{1} << 14> synsets_;
  MeteorPlaces candidate_places_, reference_places_;
};

// Which of the matches that there could be make the alignment: METEOR's beam search, with all its
// habits, since they decide scores.

class MeteorAligner {
 public:
  // The matches of the best alignment in the reference's order; no two share a word.
  std::vector<MeteorMatch> align(const MeteorMatches& matches);

 private:
  // An alignment of the words before the one at hand.
  struct Path {
    int32_t matched = 0, candidate_matched = 0;  // words, weighted and rounded down at each match
    int32_t chunks = 0;                          // but for the open one
    int32_t next = 0;                            // the first word behind the last match
    int32_t candidate_end = -1;                  // where the open chunk ends; -1: none is open
    int64_t distance = 0;                        // how far matches are from where they would stand
    int32_t choice = -1;                         // the last one, in choices_
    int32_t row = 0;                             // of taken_
    const MeteorMatch* newest = nullptr;         // chosen at this word, not yet in choices_, taken_
  };
  struct Choice {
    const MeteorMatch* match;
    int32_t previous;  // in choices_; -1: none
  };

  void fix_certain(const MeteorMatches& matches);
  void branch(const std::vector<MeteorMatch>& matches, Path path);
  bool is_free(const MeteorMatch& match, const Path& path) const;
  void keep_best();
  std::vector<MeteorMatch> choices_of(const Path& path) const;

  static void extend(Path& path, const MeteorMatch& match);
  static bool is_better(const Path& a, const Path& b);

  std::vector<const MeteorMatch*> fixed_;  // by their first word; null: none
  std::vector<Path> paths_;                // up to the word at hand, the best first
  std::vector<Path> next_paths_;           // with that word, in the order in which they were made
  std::vector<Choice> choices_;            // of all paths: each goes on from that of another
  // Which of the candidate's words are taken: row_words_ words of 64 bits for each of paths_.
  size_t row_words_ = 0;
  std::vector<uint64_t> taken_, next_taken_;
  std::vector<uint32_t> order_;  // a buffer of keep_best
};

}  // namespace rubric::metrics
