#include "stats/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace rubric::stats {
namespace {

bool is_defined(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw Error("a correlation needs two series of the same length");
  const auto finite = [](double value) { return std::isfinite(value); };
  return x.size() >= 2 && std::all_of(x.begin(), x.end(), finite) &&
         std::all_of(y.begin(), y.end(), finite);
}

using Values = std::vector<std::pair<double, double>>;

int64_t pairs_of(int64_t count) {
  return count * (count - 1) / 2;
}

// The number of tied pairs in sorted values.
template <class Same>
int64_t tied_pairs(const Values& values, Same same) {
  int64_t pairs = 0, run = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    run = i > 0 && same(values[i - 1], values[i]) ? run + 1 : 1;
    pairs += run - 1;
  }
  return pairs;
}

// Sorts by y with a merge sort and returns the number of inverted pairs.
int64_t sort_by_y(Values& values) {
  Values merged(values.size());
  int64_t inversions = 0;
  for (size_t width = 1; width < values.size(); width *= 2) {
    for (size_t start = 0; start < values.size(); start += 2 * width) {
      const size_t middle = std::min(start + width, values.size());
      const size_t end = std::min(start + 2 * width, values.size());
      size_t left = start, right = middle;
      for (size_t i = start; i < end; ++i) {
        const bool take_right =
            right < end && (left == middle || values[right].second < values[left].second);
        if (take_right) inversions += static_cast<int64_t>(middle - left);
        merged[i] = take_right ? values[right++] : values[left++];
      }
    }
    values.swap(merged);
  }
  return inversions;
}

}  // namespace

std::optional<double> pearson(std::span<const double> x, std::span<const double> y) {
  if (!is_defined(x, y)) return std::nullopt;
  const std::vector<double> dx = deviations(x), dy = deviations(y);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < dx.size(); ++i) {
    xx += dx[i] * dx[i];
    yy += dy[i] * dy[i];
    xy += dx[i] * dy[i];
  }
  const double r = xy / std::sqrt(xx * yy);
  if (!std::isfinite(r)) return std::nullopt;  // 0 / 0: a series is constant
  return std::clamp(r, -1.0, 1.0);
}

std::optional<double> spearman(std::span<const double> x, std::span<const double> y) {
  if (!is_defined(x, y)) return std::nullopt;
  return pearson(average_ranks(x), average_ranks(y));
}

std::optional<double> kendall(std::span<const double> x, std::span<const double> y) {
  if (!is_defined(x, y)) return std::nullopt;
  Values values(x.size());
  for (size_t i = 0; i < x.size(); ++i) values[i] = {x[i], y[i]};
  std::sort(values.begin(), values.end());
  const int64_t all = pairs_of(static_cast<int64_t>(values.size()));
  const int64_t tied_x =
      tied_pairs(values, [](const auto& a, const auto& b) { return a.first == b.first; });
  const int64_t tied_both = tied_pairs(values, [](const auto& a, const auto& b) { return a == b; });
  const int64_t discordant = sort_by_y(values);
  const int64_t tied_y =
      tied_pairs(values, [](const auto& a, const auto& b) { return a.second == b.second; });
  if (tied_x == all || tied_y == all) return std::nullopt;
  const int64_t difference = all - tied_x - tied_y + tied_both - 2 * discordant;
  const double tau = static_cast<double>(difference) /
                     std::sqrt(static_cast<double>(all - tied_x)) /
                     std::sqrt(static_cast<double>(all - tied_y));
  return std::clamp(tau, -1.0, 1.0);
}

Correlations correlations(std::span<const double> x, std::span<const double> y) {
  return {pearson(x, y), spearman(x, y), kendall(x, y)};
}

std::vector<double> deviations(std::span<const double> values) {
  std::vector<double> result(values.size());
  for (size_t i = 0; i < values.size(); ++i) result[i] = values[i] - values[0];
  const double mean =
      std::accumulate(result.begin(), result.end(), 0.0) / static_cast<double>(result.size());
  double largest = 0;
  for (double& value : result) {
    value -= mean;
    largest = std::max(largest, std::abs(value));
  }
  if (largest > 0) {
    for (double& value : result) value /= largest;
  }
  return result;
}

std::vector<double> average_ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t start = 0, end = 0; start < order.size(); start = end) {
    while (end < order.size() && values[order[end]] == values[order[start]]) ++end;
    const double rank = static_cast<double>(start + 1 + end) / 2;  // the mean of start+1 … end
    for (size_t i = start; i < end; ++i) ranks[order[i]] = rank;
  }
  return ranks;
}

}  // namespace rubric::stats
