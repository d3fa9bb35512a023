// Which rank the others wait for: found from the time each needs for its share of an update.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rubric {

struct SlowRank {
  int rank;
  double times;  // as long as the median of the ranks needs
};

class SlowRanks {
 public:
  // Every rank's seconds for its share of one update. After each 50 of them the slowest rank, where
  // it has needed more than 1.5 times as long as the median of all (of two ranks: as the other).
  std::optional<SlowRank> add(std::span<const double> seconds);

 private:
  std::vector<double> sums_;  // of the updates since the last look
  int64_t updates_ = 0;
};

}  // namespace rubric
