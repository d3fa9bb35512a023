// Which rank the others wait for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "distributed/ranks.h"

namespace rubric {

// What a rank has computed: for how many seconds, without those it has waited for others, and how
// many tokens.
struct Work {
  double seconds = 0, tokens = 0;
};

struct SlowRank {
  int rank;
  double times;  // as long as the median rank takes for as many tokens
};

// The rank that took longest, where that was more than 1.5 times as long as the median rank took
// (of an even number the lower), and more than 1.5 times as long for each token. Either alone says
// nothing: a rank with twice the rows takes longer, and what takes as long whatever the rows are is
// more for each token of a rank with few. Ranks that had no tokens do not count.
std::optional<SlowRank> slow_rank(std::span<const Work> ranks);

class SlowRanks {
 public:
  // Every rank calls it after every update, with the work of its share. After each 50 updates the
  // slow_rank() of them, on all ranks.
  std::optional<SlowRank> add(const Work& work, const Ranks& ranks);

 private:
  Work work_;  // in the updates since the last look
  int64_t updates_ = 0;
};

}  // namespace rubric
