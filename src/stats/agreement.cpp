#include "stats/agreement.h"

#include <cmath>

namespace rubric::stats {

namespace {

std::optional<double> ratio(int64_t part, int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The agreement expected by chance from how often each says yes, times n².
int64_t expected_agreement(const YesNoCounts& counts) {
  const int64_t n = counts.n();
  const int64_t first = counts.both + counts.first_only, second = counts.both + counts.second_only;
  return first * second + (n - first) * (n - second);
}

// The sum of (a - b)^2 over all ordered pairs of `values`, shifted so that a large offset loses no
// precision.
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

void YesNoCounts::add(bool first, bool second, int64_t times) {
  int64_t& cell = first ? (second ? both : first_only) : (second ? second_only : neither);
  cell += times;
}

YesNoCounts& YesNoCounts::operator+=(const YesNoCounts& other) {
  both += other.both;
  first_only += other.first_only;
  second_only += other.second_only;
  neither += other.neither;
  return *this;
}

std::optional<double> precision(const YesNoCounts& counts) {
  return ratio(counts.both, counts.both + counts.first_only);
}

std::optional<double> recall(const YesNoCounts& counts) {
  return ratio(counts.both, counts.both + counts.second_only);
}

std::optional<double> f1(const YesNoCounts& counts) {
  return ratio(2 * counts.both, 2 * counts.both + counts.first_only + counts.second_only);
}

std::optional<double> observed_agreement(const YesNoCounts& counts) {
  return ratio(counts.both + counts.neither, counts.n());
}

// (observed - expected) / (1 - expected), both times n², in integers.
std::optional<double> cohen_kappa(const YesNoCounts& counts) {
  const int64_t n = counts.n(), expected = expected_agreement(counts);
  return ratio(n * (counts.both + counts.neither) - expected, n * n - expected);
}

std::optional<double> stratified_kappa(std::span<const YesNoCounts> strata) {
  double observed = 0, expected = 0, possible = 0;  // units
  for (const YesNoCounts& counts : strata) {
    const int64_t n = counts.n();
    if (n == 0) continue;
    observed += static_cast<double>(counts.both + counts.neither);
    expected += static_cast<double>(expected_agreement(counts)) / static_cast<double>(n);
    possible += static_cast<double>(n);
  }
  if (possible <= expected) return std::nullopt;
  return (observed - expected) / (possible - expected);
}

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

}  // namespace rubric::stats
