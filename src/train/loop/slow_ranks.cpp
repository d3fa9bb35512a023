#include "train/loop/slow_ranks.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rubric {
namespace {

constexpr int64_t kUpdates = 50;  // a shorter while says little: shares differ
constexpr double kSlow = 1.5;

// The lower of two in the middle.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

}  // namespace

std::optional<SlowRank> slow_rank(std::span<const Work> ranks) {
  std::vector<double> seconds, for_each_token;
  size_t slowest = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].tokens <= 0) continue;
    seconds.push_back(ranks[i].seconds);
    for_each_token.push_back(ranks[i].seconds / ranks[i].tokens);
    if (seconds.size() == 1 || ranks[i].seconds > ranks[slowest].seconds) slowest = i;
  }
  if (seconds.empty()) return std::nullopt;
  const double middle = median(seconds), middle_token = median(for_each_token);
  if (middle <= 0 || middle_token <= 0) return std::nullopt;  // a clock that is too coarse
  const double times = ranks[slowest].seconds / ranks[slowest].tokens / middle_token;
  if (ranks[slowest].seconds <= kSlow * middle || times <= kSlow) return std::nullopt;
  return SlowRank{static_cast<int>(slowest), times};
}

std::optional<SlowRank> SlowRanks::add(const Work& work, const Ranks& ranks) {
  work_.seconds += work.seconds;
  work_.tokens += work.tokens;
  if (++updates_ < kUpdates) return std::nullopt;
  updates_ = 0;
  std::vector<Work> all(static_cast<size_t>(ranks.size()));
  all[static_cast<size_t>(ranks.rank())] = std::exchange(work_, {});
  std::vector<double> flat;
  for (const Work& each : all) flat.insert(flat.end(), {each.seconds, each.tokens});
  ranks.sum(flat);
  for (size_t i = 0; i < all.size(); ++i) all[i] = {flat[2 * i], flat[2 * i + 1]};
  return slow_rank(all);
}

}  // namespace rubric
