// Which rank the others wait for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "distributed/ranks.h"

namespace rubric {

struct SlowRank {
  int rank;
  double times;  // as long as the median rank takes
};

// The slowest of ranks that have computed for so many seconds each, where it took more than 1.5
// times as long as the median (of an even number the lower).
std::optional<SlowRank> slow_rank(std::span<const double> seconds);

class SlowRanks {
 public:
  // Every rank calls it after every update, with the seconds it has computed for its share, without
  // those it has waited for others. After each 50 updates the slow_rank() of them, on all ranks.
  std::optional<SlowRank> add(double seconds, const Ranks& ranks);

 private:
  double seconds_ = 0;  // in the updates since the last look
  int64_t updates_ = 0;
};

}  // namespace rubric
