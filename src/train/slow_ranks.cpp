#include "train/slow_ranks.h"

#include <algorithm>
#include <utility>

namespace rubric {
namespace {

constexpr int64_t kUpdates = 50;  // a shorter while says little: shares differ
constexpr double kSlow = 1.5;

}  // namespace

std::optional<SlowRank> SlowRanks::add(std::span<const double> seconds) {
  sums_.resize(seconds.size());
  for (size_t i = 0; i < seconds.size(); ++i) sums_[i] += seconds[i];
  if (++updates_ < kUpdates) return std::nullopt;
  updates_ = 0;
  std::vector<double> sorted = std::exchange(sums_, {});
  const auto slowest = std::ranges::max_element(sorted);
  const auto rank = static_cast<int>(slowest - sorted.begin());
  const double longest = *slowest;
  std::ranges::sort(sorted);
  const double median = sorted[(sorted.size() - 1) / 2];  // of an even number the lower
  if (longest <= kSlow * median) return std::nullopt;
  return SlowRank{rank, longest / median};
}

}  // namespace rubric
