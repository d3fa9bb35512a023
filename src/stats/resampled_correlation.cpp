#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "stats/correlation.h"
#include "stats/fenwick.h"

namespace rubric::stats {
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
