#include "stats/krippendorff.h"

#include <cmath>

namespace rubric {
namespace {

// The sum of (a - b)^2 over all ordered pairs of `values`, shifted so that a large offset costs
// nothing.
double squared_differences(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    const double shifted = value - values[0];
    sum += shifted;
    squares += shifted * shifted;
  }
  return 2 * (static_cast<double>(values.size()) * squares - sum * sum);
}

}  // namespace

std::optional<double> krippendorff_alpha(std::span<const std::vector<double>> units) {
  std::vector<double> all;
  double observed = 0;
  for (const std::vector<double>& ratings : units) {
    if (ratings.size() < 2) continue;
    observed += squared_differences(ratings) / static_cast<double>(ratings.size() - 1);
    all.insert(all.end(), ratings.begin(), ratings.end());
  }
  if (all.empty()) return std::nullopt;
  const double expected = squared_differences(all) / static_cast<double>(all.size() - 1);
  const double alpha = 1 - observed / expected;
  return std::isfinite(alpha) ? std::optional(alpha) : std::nullopt;
}

}  // namespace rubric
