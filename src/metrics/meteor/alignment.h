// METEOR's alignment of two sentences: all possible matches of their words by its modules
// (MeteorMatcher), and the beam search for the best alignment (MeteorAligner).
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/meteor/data.h"

namespace rubric::metrics {

enum class MeteorModule : uint8_t { exact, stem, synonym, paraphrase };
inline constexpr int kMeteorModules = 4;

// Matches words [start, start + length) of the reference with words [candidate_start,
// candidate_start + candidate_length) of the candidate. All modules except paraphrase match one
// word with one.
struct MeteorMatch {
  int32_t start, candidate_start;
  uint8_t length, candidate_length;  // at most kLongestPhrase
  MeteorModule module;
};

struct MeteorMatches {
  // by_start[i]: the matches that start at word i of the reference, in the order in which METEOR
  // finds them, which decides between equally good alignments. A pair that the paraphrase table
  // lists in both directions occurs twice.
  std::vector<std::vector<MeteorMatch>> by_start;
  std::vector<int32_t> coverage, candidate_coverage;  // number of matches that cover each word
  size_t count = 0;
};

// The positions of the paraphrase table's words in a sentence.
class MeteorPlaces {
 public:
  explicit MeteorPlaces(size_t paraphrase_words) : first_(paraphrase_words, -1) {}

  void assign(const MeteorSentence& sentence);

  int32_t first(uint16_t word) const { return first_[word]; }                      // -1: nowhere
  int32_t next(int32_t place) const { return next_[static_cast<size_t>(place)]; }  // -1: nowhere
  std::span<const int32_t> words() const { return words_; }

 private:
  std::vector<int32_t> words_;  // of the sentence, as numbers of the table
  std::vector<int32_t> first_;  // by word of the table: its first position
  std::vector<int32_t> next_;   // by position: the next position of the same word
};

// Matches one candidate with each of its references.
class MeteorMatcher {
 public:
  explicit MeteorMatcher(size_t paraphrase_words);  // number of words of the table; 0: no table

  void set_candidate(const MeteorSentence& candidate);  // must outlive its matches

  // Equal sentences get only exact matches. Throws InputError when there are too many matches to
  // search.
  void match(const MeteorSentence& reference, MeteorMatches& matches);

 private:
  void match_synonyms(const MeteorSentence& reference, MeteorMatches& matches) const;

  const MeteorSentence* candidate_ = nullptr;
  // The synsets (modulo the size of the bit set) of the candidate's words.
  std::bitset<size_t{1} << 14> synsets_;
  MeteorPlaces candidate_places_, reference_places_;
};

// METEOR's beam search for the best alignment, which repeats all its quirks because they affect
// scores.
class MeteorAligner {
 public:
  // The matches of the best alignment in the reference's order; no two of them share a word.
  std::vector<MeteorMatch> align(const MeteorMatches& matches);

 private:
  // A partial alignment of the words before the current one.
  struct Path {
    // Number of words, weighted and rounded down at each match.
    int32_t matched = 0, candidate_matched = 0;
    int32_t chunks = 0;          // closed chunks
    int32_t next = 0;            // the first word after the last match
    int32_t candidate_end = -1;  // end of the open chunk; -1: none
    // sum of the matches' |start - candidate_start|
    int64_t distance = 0;
    int32_t choice = -1;  // index of the last choice in choices_
    int32_t row = 0;      // in taken_
    // chosen at this word, not yet in choices_ and taken_
    const MeteorMatch* newest = nullptr;
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

  std::vector<const MeteorMatch*> fixed_;  // by first word; null: none
  std::vector<Path> paths_;                // up to the current word, best first
  std::vector<Path> next_paths_;           // including the current word, in order of creation
  std::vector<Choice> choices_;            // of all paths, linked by `previous`
  // Bits of the candidate's matched words: row_words_ integers of 64 bits for each of paths_.
  size_t row_words_ = 0;
  std::vector<uint64_t> taken_, next_taken_;
  std::vector<uint32_t> order_;  // a buffer of keep_best
};

}  // namespace rubric::metrics
