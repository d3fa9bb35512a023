#include "train/slow_ranks.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rubric {
namespace {

constexpr int64_t kUpdates = 50;  // a shorter while says little: shares differ
constexpr double kSlow = 1.5;

}  // namespace

std::optional<SlowRank> slow_rank(std::span<const double> seconds) {
  const auto slowest = std::ranges::max_element(seconds);
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::ranges::sort(sorted);
  const double median = sorted[(sorted.size() - 1) / 2];
  if (*slowest <= kSlow * median) return std::nullopt;
  return SlowRank{static_cast<int>(slowest - seconds.begin()), *slowest / median};
}

std::optional<SlowRank> SlowRanks::add(double seconds, const Ranks& ranks) {
  seconds_ += seconds;
  if (++updates_ < kUpdates) return std::nullopt;
  updates_ = 0;
  std::vector<double> all(static_cast<size_t>(ranks.size()));
  all[static_cast<size_t>(ranks.rank())] = std::exchange(seconds_, 0);
  ranks.sum(all);
  return slow_rank(all);
}

}  // namespace rubric
