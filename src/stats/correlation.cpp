#include "stats/correlation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "stats/fenwick.h"

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
  // Differences and sums of values near the largest double would overflow. A power of two changes
  // no other bits of these.
  constexpr double kHuge = 0x1p900, kSmaller = 0x1p-64;
  const bool is_huge = std::ranges::any_of(values, [](double x) { return std::abs(x) > kHuge; });
  const double unit = is_huge ? kSmaller : 1;
  std::vector<double> result(values.size());
  for (size_t i = 0; i < values.size(); ++i) result[i] = values[i] * unit - values[0] * unit;
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

int scaling_exponent(std::span<const double> values) {
  constexpr int kUsual = 200;
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  return std::abs(exponent) > kUsual ? exponent : 0;
}

std::vector<double> scaled_down(std::span<const double> values, int exponent) {
  std::vector<double> scaled(values.begin(), values.end());
  for (double& value : scaled) value = std::ldexp(value, -exponent);
  return scaled;
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

namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// The average rank of each level of a resample, minus the mean rank.
std::vector<double> centred_ranks(const std::vector<double>& drawn, double n) {
  std::vector<double> ranks(drawn.size());
  double below_it = 0;
  for (size_t level = 0; level < drawn.size(); ++level) {
    ranks[level] = below_it + (drawn[level] - n) / 2;
    below_it += drawn[level];
  }
  return ranks;
}

double sum_of_squares(const std::vector<double>& drawn, const std::vector<double>& values) {
  double sum = 0;
  for (size_t level = 0; level < drawn.size(); ++level) {
    sum += drawn[level] * values[level] * values[level];
  }
  return sum;
}

double resampled_tied_pairs(const std::vector<double>& drawn) {
  double pairs = 0;
  for (const double count : drawn) pairs += count * (count - 1) / 2;
  return pairs;
}

// The number of values added below a level minus the number above it. Few levels are stored
// directly, in a loop that compiles to two vector instructions; many levels in a Fenwick tree.
class Surplus {
 public:
  Surplus(size_t levels, double most)
      : is_flat_(levels <= kFew && most <= INT32_MAX), sums_(is_flat_ ? 0 : levels) {}

  void add(uint32_t level, uint32_t count) {
    total_ += count;
    if (is_flat_) {
      const auto signed_count = static_cast<int32_t>(count);
      int32_t* __restrict flat = flat_.data();
      const int32_t* __restrict signs = kSigns[level].data();
      for (size_t i = 0; i < kFew; ++i) flat[i] += signed_count * signs[i];
    } else {
      sums_.add(level, count);
    }
  }
  int64_t at(uint32_t level) const {
    return is_flat_ ? flat_[level] : sums_.below(level) + sums_.below(level + 1) - total_;
  }

 private:
  static constexpr size_t kFew = 16;
  using Row = std::array<int32_t, kFew>;
  static constexpr std::array<Row, kFew> kSigns = [] {  // kSigns[added][i]: 1 for i above `added`
    std::array<Row, kFew> signs{};
    for (size_t added = 0; added < kFew; ++added) {
      for (size_t i = 0; i < kFew; ++i) signs[added][i] = i > added ? 1 : i < added ? -1 : 0;
    }
    return signs;
  }();

  bool is_flat_;
  std::vector<int32_t> flat_ =
      // On the heap, so that the compiler uses vector instructions, not 16 variables.
      std::vector<int32_t>(kFew);
  Fenwick sums_;
  int64_t total_ = 0;
};

}  // namespace

ResampledCorrelation::Levels ResampledCorrelation::levels_of(std::span<const double> values) {
  Levels levels{std::vector<uint32_t>(values.size()), std::vector<uint32_t>(values.size()), {}};
  std::vector<uint32_t>& order = levels.order;
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || values[order[i - 1]] < values[order[i]]) levels.begin.push_back(i);
    levels.of[order[i]] = static_cast<uint32_t>(levels.begin.size() - 1);
  }
  levels.begin.push_back(order.size());
  return levels;
}

std::vector<double> ResampledCorrelation::Levels::drawn(Counts counts) const {
  std::vector<double> drawn(count());
  for (size_t level = 0; level < count(); ++level) {
    uint64_t sum = 0;
    for (size_t i = begin[level]; i < begin[level + 1]; ++i) sum += counts[order[i]];
    drawn[level] = static_cast<double>(sum);
  }
  return drawn;
}

ResampledCorrelation::ResampledCorrelation(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw Error("a correlation needs two series of the same length");
  is_finite_ = all_finite(x) && all_finite(y);
  if (!is_finite_ || x.empty()) return;
  x_.assign(x.begin(), x.end());
  y_.assign(y.begin(), y.end());
  dx_ = deviations(x);
  dy_ = deviations(y);
  x_levels_ = levels_of(x_);
  y_levels_ = levels_of(y_);
  is_exchanged_ = x_levels_.count() < y_levels_.count();
  if (is_exchanged_) std::swap(x_levels_, y_levels_);
}

ResampledCorrelations ResampledCorrelation::all(Counts counts) const {
  if (!is_finite_) return {};
  const std::vector<double> drawn_x = x_levels_.drawn(counts), drawn_y = y_levels_.drawn(counts);
  ResampledCorrelations values;
  values.pearson = pearson(counts);
  values.spearman = spearman(counts, drawn_x, drawn_y);
  set_orders(counts, drawn_x, drawn_y, values);
  return values;
}

std::optional<double> ResampledCorrelation::pearson(Counts counts) const {
  if (!is_finite_) return std::nullopt;
  double n = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double count = counts[i], cx = count * dx_[i], cy = count * dy_[i];
    n += count;
    sx += cx;
    sy += cy;
    sxx += cx * dx_[i];
    syy += cy * dy_[i];
    sxy += cx * dy_[i];
  }
  const double xx = sxx - sx * sx / n, yy = syy - sy * sy / n;
  // If the subtraction leaves little (a constant resample, say), rounding errors would dominate.
  constexpr double kLeft = 1e-6;
  if (!(xx > kLeft * sxx && yy > kLeft * syy)) return pearson_of_series(counts);
  return std::clamp((sxy - sx * sy / n) / std::sqrt(xx * yy), -1.0, 1.0);
}

std::optional<double> ResampledCorrelation::pearson_of_series(Counts counts) const {
  std::vector<double> x, y;
  for (size_t i = 0; i < counts.size(); ++i) {
    x.insert(x.end(), counts[i], x_[i]);
    y.insert(y.end(), counts[i], y_[i]);
  }
  return rubric::stats::pearson(x, y);
}

std::optional<double> ResampledCorrelation::spearman(Counts counts,
                                                     const std::vector<double>& drawn_x,
                                                     const std::vector<double>& drawn_y) const {
  const double n = std::accumulate(drawn_y.begin(), drawn_y.end(), 0.0);
  const std::vector<double> x = centred_ranks(drawn_x, n), y = centred_ranks(drawn_y, n);
  double product = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    product += counts[i] * x[x_levels_.of[i]] * y[y_levels_.of[i]];
  }
  const double squares = sum_of_squares(drawn_x, x) * sum_of_squares(drawn_y, y);
  if (squares <= 0) return std::nullopt;
  return std::clamp(product / std::sqrt(squares), -1.0, 1.0);
}

void ResampledCorrelation::set_orders(Counts counts, const std::vector<double>& drawn_x,
                                      const std::vector<double>& drawn_y,
                                      ResampledCorrelations& values) const {
  const double n = std::accumulate(drawn_y.begin(), drawn_y.end(), 0.0);
  Surplus seen(y_levels_.count(), n);  // records with a lower x
  int64_t difference = 0;              // concordant minus discordant pairs
  for (size_t level = 0; level < x_levels_.count(); ++level) {
    const size_t begin = x_levels_.begin[level], end = x_levels_.begin[level + 1];
    for (size_t k = begin; k < end; ++k) {
      const uint32_t i = x_levels_.order[k];
      difference += counts[i] * seen.at(y_levels_.of[i]);
    }
    for (size_t k = begin; k < end; ++k) {
      const uint32_t i = x_levels_.order[k];
      seen.add(y_levels_.of[i], counts[i]);
    }
  }
  const double all_pairs = resampled_tied_pairs({n});
  const double x_pairs = all_pairs - resampled_tied_pairs(drawn_x),
               y_pairs = all_pairs - resampled_tied_pairs(drawn_y);
  const auto signed_pairs = static_cast<double>(difference);
  if (x_pairs > 0 && y_pairs > 0) {
    values.kendall = std::clamp(signed_pairs / std::sqrt(x_pairs) / std::sqrt(y_pairs), -1.0, 1.0);
  }
  const double of_first = is_exchanged_ ? y_pairs : x_pairs;
  if (of_first > 0) values.concordance = (1 + signed_pairs / of_first) / 2;
}

}  // namespace rubric::stats
