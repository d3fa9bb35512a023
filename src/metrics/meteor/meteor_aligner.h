// Which of the matches that there could be make the alignment: METEOR's beam search, with all its
// habits, since they decide scores.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/meteor/alignment.h"

namespace rubric {

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

}  // namespace rubric
