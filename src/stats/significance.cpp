#include "stats/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "core/error.h"
#include "core/random.h"

namespace rubric {
namespace {

constexpr int64_t kMostEnumerated = 30;  // 2^30 exchanges are more than anyone asks for

// `exchanged(i)` says whether the two values of record i change places.
template <class Exchanged>
std::optional<double> figure_of_exchange(std::span<const double> a, std::span<const double> b,
                                         const PairedFigure& figure, const Exchanged& exchanged,
                                         std::vector<double>& first, std::vector<double>& second) {
  for (size_t i = 0; i < a.size(); ++i) {
    const bool change = exchanged(i);
    first[i] = change ? b[i] : a[i];
    second[i] = change ? a[i] : b[i];
  }
  return figure(first, second);
}

}  // namespace

std::optional<TestResult> williams_test(double first, double second, double between, int64_t n) {
  if (n < 4) return std::nullopt;
  const auto count = static_cast<double>(n);
  const double determinant =
      1 - first * first - second * second - between * between + 2 * first * second * between;
  const double mean = (first + second) / 2;
  const double variance =
      2 * determinant * (count - 1) / (count - 3) + mean * mean * std::pow(1 - between, 3);
  const double t = (first - second) * std::sqrt((count - 1) * (1 + between) / variance);
  if (!std::isfinite(t) || variance <= 0) return std::nullopt;
  const boost::math::students_t distribution(count - 3);
  return TestResult{t, 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)))};
}

std::optional<TestResult> paired_permutation_test(std::span<const double> a,
                                                  std::span<const double> b,
                                                  const PairedFigure& figure,
                                                  const PermutationOptions& options) {
  if (a.size() != b.size()) throw Error("a paired test needs two series of the same length");
  const std::optional<double> observed = figure(a, b);
  if (!observed) return std::nullopt;
  // Exchanges that only differ in rounding are as large.
  const double bound = std::abs(*observed) * (1 - 1e-12);
  const auto n = static_cast<int64_t>(a.size());
  const bool all = n <= kMostEnumerated && int64_t{1} << n <= options.permutations;
  const int64_t rounds = all ? int64_t{1} << n : options.permutations;
  std::vector<double> first(a.size()), second(a.size());
  int64_t larger = 0;
  for (int64_t round = 0; round < rounds; ++round) {
    const auto number = static_cast<uint64_t>(round);
    const auto exchanged = [&](size_t i) {
      const uint64_t bits =
          all ? number : random_bits(options.seed, Purpose::permutation, number, i / 64);
      return (bits >> (i % 64) & 1) != 0;
    };
    const std::optional<double> value = figure_of_exchange(a, b, figure, exchanged, first, second);
    larger += !value || std::abs(*value) >= bound ? 1 : 0;
  }
  const auto counted = static_cast<double>(larger), drawn = static_cast<double>(rounds);
  return TestResult{*observed, all ? counted / drawn : (counted + 1) / (drawn + 1)};
}

double mcnemar_exact(int64_t only_first, int64_t only_second) {
  const int64_t n = only_first + only_second;
  if (n == 0) return 1;
  const boost::math::binomial distribution(static_cast<double>(n), 0.5);
  const auto fewer = static_cast<double>(std::min(only_first, only_second));
  return std::min(1.0, 2 * boost::math::cdf(distribution, fewer));
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> corrected(p.size());
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const auto remaining = static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, remaining * p[order[rank]]));
    corrected[order[rank]] = largest;
  }
  return corrected;
}

}  // namespace rubric
