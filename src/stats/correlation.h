// How well two series of the same length agree.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace rubric {

// Each is in [-1, 1]; nothing where it is undefined: fewer than two values, a constant series, a
// value that is not finite. They throw Error for series of different lengths.

// Pearson's r, in two passes over values shifted by the first, so that a large offset costs
// nothing.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

// Spearman's rho: Pearson's r of the average ranks.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

// Kendall's tau-b, in O(n log n) (Knight 1966).
std::optional<double> kendall(std::span<const double> x, std::span<const double> y);

struct Correlations {
  std::optional<double> pearson, spearman, kendall;  // nothing: undefined
};
Correlations correlations(std::span<const double> x, std::span<const double> y);

// Deviations from the mean, scaled to at most 1 so that their squares neither overflow nor vanish.
// All 0 for a constant series, exactly. There must be a value, and all finite.
std::vector<double> deviations(std::span<const double> values);

// Ranks from 1; equal values share the mean of their ranks. Values must not be NaN.
std::vector<double> average_ranks(std::span<const double> values);

}  // namespace rubric
