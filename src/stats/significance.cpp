#include "stats/significance.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "core/error.h"
#include "core/random.h"
#include "core/system/parallel.h"
#include "stats/correlation.h"

namespace rubric::stats {
namespace {

// The clusters that are swapped in each round: all 2^n permutations, or as many random ones as
// requested.
struct Permutations {
  size_t rounds = 0;
  bool is_all = false;
  uint64_t seed = 0;

  // Bit i tells whether cluster 64 block + i is swapped.
  uint64_t bits(size_t round, size_t block) const {
    return is_all ? round : random_bits(seed, Purpose::permutation, round, block);
  }
};

Permutations permutations_of(const Clusters& clusters, const PermutationOptions& options) {
  const size_t n = clusters.count;
  constexpr size_t kMostEnumerated = 30;  // 2^30 permutations exceed any request
  const bool is_all = n <= kMostEnumerated && int64_t{1} << n <= options.permutations;
  return {is_all ? size_t{1} << n : static_cast<size_t>(options.permutations), is_all,
          options.seed};
}

// The p value; count_larger(begin, end) returns in how many of these rounds the statistic is at
// least as large as the observed one.
template <class CountLarger>
double p_value(const Permutations& permutations, size_t n, const CountLarger& count_larger) {
  std::atomic<int64_t> larger = 0;
  parallel_for(permutations.rounds, permutations.rounds * n,
               [&](size_t begin, size_t end) { larger += count_larger(begin, end); });
  const auto counted = static_cast<double>(larger.load());
  const auto drawn = static_cast<double>(permutations.rounds);
  return permutations.is_all ? counted / drawn : (counted + 1) / (drawn + 1);
}

// The observed value minus a tolerance for rounding.
double bound_of(double observed) {
  return std::abs(observed) * (1 - 1e-12);
}

void require_pairs(std::span<const double> a, std::span<const double> b, const Clusters& clusters) {
  if (a.size() == b.size() && a.size() == clusters.of.size()) return;
  throw Error("a paired test needs two series of the same length, and their clusters");
}

// Sums over records of a score, its square, and its product with the human deviation.
struct ScoreMoments {
  double sum = 0, squares = 0, product = 0;

  ScoreMoments& operator+=(const ScoreMoments& other) {
    sum += other.sum;
    squares += other.squares;
    product += other.product;
    return *this;
  }
  ScoreMoments operator+(const ScoreMoments& other) const { return ScoreMoments(*this) += other; }
  ScoreMoments operator-(const ScoreMoments& other) const {
    return {sum - other.sum, squares - other.squares, product - other.product};
  }
};

ScoreMoments score_moments(double score, double human_deviation) {
  return {score, score * score, score * human_deviation};
}

// Pearson's r; NaN for constant scores.
double correlation(const ScoreMoments& scores, double human_squares, double n) {
  constexpr double kRounding = 1e-12;
  const double squares = scores.squares - scores.sum * scores.sum / n;
  if (squares <= kRounding * scores.squares) return std::numeric_limits<double>::quiet_NaN();
  return scores.product / std::sqrt(human_squares * squares);
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

std::optional<TestResult> permutation_test_of_correlations(std::span<const double> human,
                                                           std::span<const double> a,
                                                           std::span<const double> b,
                                                           const Clusters& clusters,
                                                           const PermutationOptions& options) {
  require_pairs(a, b, clusters);
  const std::optional<double> of_a = pearson(human, a), of_b = pearson(human, b);
  if (!of_a || !of_b) return std::nullopt;
  const std::vector<double> deviation = deviations(human);
  double squares = 0;
  for (const double value : deviation) squares += value * value;
  ScoreMoments all_a, all_b;
  // Change of a's moments when the cluster is swapped.
  std::vector<ScoreMoments> gains(clusters.count);
  for (size_t i = 0; i < a.size(); ++i) {
    const ScoreMoments of_first = score_moments(a[i], deviation[i]),
                       of_second = score_moments(b[i], deviation[i]);
    all_a += of_first;
    all_b += of_second;
    gains[clusters.of[i]] += of_second - of_first;
  }
  const auto n = static_cast<double>(a.size());
  const double observed = *of_a - *of_b;
  // A tolerance for the rounding of these sums.
  const double bound = std::abs(observed) - 1e-10;
  const Permutations permutations = permutations_of(clusters, options);
  const double p = p_value(permutations, clusters.count, [&](size_t begin, size_t end) {
    int64_t larger = 0;
    for (size_t round = begin; round < end; ++round) {
      ScoreMoments gain;
      for (size_t start = 0; start < gains.size(); start += 64) {
        const uint64_t bits = permutations.bits(round, start / 64);
        const size_t count = std::min<size_t>(64, gains.size() - start);
        for (size_t i = 0; i < count; ++i) {
          if ((bits >> i & 1) != 0) gain += gains[start + i];
        }
      }
      const double difference =
          correlation(all_a + gain, squares, n) - correlation(all_b - gain, squares, n);
      larger += std::isnan(difference) || std::abs(difference) >= bound ? 1 : 0;
    }
    return larger;
  });
  return TestResult{observed, p};
}

TestResult permutation_test_of_means(std::span<const double> a, std::span<const double> b,
                                     const Clusters& clusters, const PermutationOptions& options) {
  require_pairs(a, b, clusters);
  // Swapping changes the sign of a difference: the sum of all minus twice the sum of the swapped
  // ones.
  std::vector<double> differences(clusters.count);
  for (size_t i = 0; i < a.size(); ++i) differences[clusters.of[i]] += a[i] - b[i];
  const double observed = std::accumulate(differences.begin(), differences.end(), 0.0);
  const double bound = bound_of(observed);
  const Permutations permutations = permutations_of(clusters, options);
  const double p = p_value(permutations, clusters.count, [&](size_t begin, size_t end) {
    int64_t larger = 0;
    for (size_t round = begin; round < end; ++round) {
      double exchanged = 0;
      for (size_t start = 0; start < differences.size(); start += 64) {
        const uint64_t bits = permutations.bits(round, start / 64);
        const size_t count = std::min<size_t>(64, differences.size() - start);
        for (size_t i = 0; i < count; ++i) {
          exchanged += (bits >> i & 1) != 0 ? differences[start + i] : 0.0;
        }
      }
      larger += std::abs(observed - 2 * exchanged) >= bound ? 1 : 0;
    }
    return larger;
  });
  return {observed / static_cast<double>(a.size()), p};
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

}  // namespace rubric::stats
