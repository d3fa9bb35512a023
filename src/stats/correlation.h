// Pearson's, Spearman's and Kendall's correlation of two series of the same length, and of their
// bootstrap resamples.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

using rubric::Correlations;

// Each correlation is in [-1, 1], or nullopt where it is undefined: fewer than two values, a
// constant series, a value that is not finite. All throw Error for series of different lengths.

// Pearson's r, in two passes over values shifted by the first value, so that a large offset loses
// no precision.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

// Spearman's rho: Pearson's r of the average ranks.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

// Kendall's tau-b, in O(n log n) (Knight 1966).
std::optional<double> kendall(std::span<const double> x, std::span<const double> y);

Correlations correlations(std::span<const double> x, std::span<const double> y);

// Deviations from the mean, scaled to at most 1 so that their squares neither overflow nor
// underflow. Exactly 0 for a constant series. `values` must be finite and not empty.
std::vector<double> deviations(std::span<const double> values);

// Values divided by 2^exponent have squares and fourth powers that neither vanish nor overflow: the
// exponent of the largest value, or 0 where values are of the usual size, 2^±200. No digit changes.
int scaling_exponent(std::span<const double> values);
std::vector<double> scaled_down(std::span<const double> values, int exponent);

// Ranks from 1; equal values share the mean of their ranks. Values must not be NaN.
std::vector<double> average_ranks(std::span<const double> values);

struct ResampledCorrelations : Correlations {
  // The share of the pairs with different x that y orders as x does, where equal y count half
  // (Harrell's C). If x has two values it is the area under the ROC curve (binary.h). nullopt where
  // x is constant.
  std::optional<double> concordance;
};

// The correlations of bootstrap resamples given as counts, without building the resampled series:
// sorting and ranking are prepared once. Each value equals, up to rounding, the correlation above
// of the series in which record i occurs counts[i] times. Pearson's and Spearman's take O(n),
// Kendall's O(n log d), d the smaller number of distinct values of the two series. Of many records
// with equal values give the distinct ones (DistinctRecords). Safe to call from several threads.
class ResampledCorrelation {
 public:
  // Throws Error for series of different lengths. Correlations of values that are not finite are
  // undefined.
  ResampledCorrelation(std::span<const double> x, std::span<const double> y);

  std::optional<double> pearson(Counts counts) const;
  ResampledCorrelations all(Counts counts) const;

 private:
  // The distinct values of a series, in ascending order.
  struct Levels {
    std::vector<uint32_t> of;     // by record
    std::vector<uint32_t> order;  // records, grouped by level
    std::vector<size_t> begin;    // where each level begins in `order`, and its end
    size_t count() const { return begin.size() - 1; }
    std::vector<double> drawn(Counts counts) const;  // number of records drawn of each level
  };
  static Levels levels_of(std::span<const double> values);
  std::optional<double> pearson_of_series(Counts counts) const;
  std::optional<double> spearman(Counts counts, const std::vector<double>& drawn_x,
                                 const std::vector<double>& drawn_y) const;
  // Sets Kendall's correlation and the concordance.
  void set_orders(Counts counts, const std::vector<double>& drawn_x,
                  const std::vector<double>& drawn_y, ResampledCorrelations& values) const;

  bool is_finite_ = false, is_exchanged_ = false;  // exchanged: x_levels_ are those of y
  std::vector<double> x_, y_;
  std::vector<double> dx_, dy_;  // deviations from the mean of all, at most 1
  Levels x_levels_, y_levels_;   // exchanged if x has fewer levels than y
};

}  // namespace rubric::stats
