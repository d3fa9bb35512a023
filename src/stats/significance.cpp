#include "stats/significance.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "core/context.h"
#include "core/error.h"
#include "core/random.h"
#include "core/system/parallel.h"
#include "stats/correlation.h"

namespace rubric::stats {
namespace {

// The clusters that are swapped in each round: all permutations, or as many random ones as
// requested. Of all, the half that leaves the last cluster in place: to swap all other clusters
// instead of some gives the opposite difference, which is as large.
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
  constexpr size_t kMostEnumerated = 20;
  const bool is_all = n <= kMostEnumerated;
  const size_t all = is_all && n > 0 ? size_t{1} << (n - 1) : 1;
  return {is_all ? all : static_cast<size_t>(options.permutations), is_all, options.seed};
}

// Which clusters are swapped in each of a block of rounds: drawn once for all tests of a table.
class SwapBlock {
 public:
  SwapBlock(const Permutations& permutations, size_t clusters)
      : permutations_(permutations),
        words_((clusters + 63) / 64),
        most_rounds_(
            std::clamp(kMostWords / std::max<size_t>(words_, 1), kFewestRounds, kMostRounds)),
        bits_(words_ * most_rounds_) {}

  // The rounds from `first` on, as many as fit and at most to `end`.
  void draw(size_t first, size_t end) {
    rounds_ = std::min(most_rounds_, end - first);
    for (size_t word = 0; word < words_; ++word) {
      for (size_t i = 0; i < rounds_; ++i) {
        bits_[word * most_rounds_ + i] = permutations_.bits(first + i, word);
      }
    }
  }
  size_t rounds() const { return rounds_; }
  // A word of bits for each round: bit i is set if cluster 64 word + i is swapped.
  const uint64_t* bits(size_t word) const { return &bits_[word * most_rounds_]; }

  static constexpr size_t kMostRounds = 2048;

 private:
  // A round of a million clusters takes 125 KB: few rounds at a time, then.
  static constexpr size_t kMostWords = size_t{1} << 20, kFewestRounds = 64;

  const Permutations& permutations_;
  size_t words_, most_rounds_, rounds_ = 0;
  std::vector<uint64_t> bits_;
};

// Adds up the swapped clusters' values in each round of a block. Thirty-two clusters are added at
// once, from four tables of the sums of all subsets of eight, which stay in the fastest cache.
template <class Value>
class SwappedSums {
 public:
  void add(const SwapBlock& block, std::span<const Value> values) {
    std::fill(sums_.begin(), sums_.end(), Value{});
    for (size_t start = 0; start < values.size(); start += 32) {
      for (size_t eight = 0; eight < 4; ++eight) fill_table(values, start + 8 * eight, eight);
      const uint64_t* const bits = block.bits(start / 64);
      const size_t shift = start % 64;
      for (size_t i = 0; i < block.rounds(); ++i) {
        const uint64_t swapped = bits[i] >> shift;
        sums_[i] = sums_[i] + ((tables_[0][swapped & 255] + tables_[1][swapped >> 8 & 255]) +
                               (tables_[2][swapped >> 16 & 255] + tables_[3][swapped >> 24 & 255]));
      }
    }
  }
  Value of_round(size_t i) const { return sums_[i]; }

 private:
  using Table = std::array<Value, 256>;  // by subset: bit i for the i-th

  void fill_table(std::span<const Value> values, size_t begin, size_t number) {
    Table& table = tables_[number];
    table[0] = Value{};
    for (size_t i = 0; i < 8; ++i) {
      const Value value = begin + i < values.size() ? values[begin + i] : Value{};
      const size_t bit = size_t{1} << i;
      for (size_t subset = 0; subset < bit; ++subset) table[bit + subset] = table[subset] + value;
    }
  }

  std::vector<Value> sums_ = std::vector<Value>(SwapBlock::kMostRounds);
  std::vector<Table> tables_ = std::vector<Table>(4);
};

// One test of two series: the observed difference, and which differences between the swapped
// clusters' sums, the second series' minus the first's, make one at least as large.
template <class Value>
struct PermutationTest {
  size_t first = 0, second = 0;
  double observed = 0;
  std::function<bool(const Value& gain)> is_as_large;
};

// `series` has a value for each cluster. All tests swap the same clusters, so that each series is
// added up once for all of its tests.
template <class Value>
std::vector<TestResult> run_tests(std::span<const std::vector<Value>> series,
                                  std::span<const PermutationTest<Value>> tests,
                                  const Clusters& clusters, const PermutationOptions& options) {
  const Permutations permutations = permutations_of(clusters, options);
  std::vector<std::atomic<int64_t>> larger(tests.size());
  const size_t additions = permutations.rounds * clusters.count * series.size();
  parallel_for(permutations.rounds, additions, [&](size_t begin, size_t end) {
    SwapBlock block(permutations, clusters.count);
    std::vector<SwappedSums<Value>> sums(series.size());
    for (size_t first = begin; first < end; first += block.rounds()) {
      end_if_stop_requested();
      block.draw(first, end);
      for (size_t s = 0; s < series.size(); ++s) sums[s].add(block, series[s]);
      for (size_t t = 0; t < tests.size(); ++t) {
        const SwappedSums<Value>& of_first = sums[tests[t].first];
        const SwappedSums<Value>& of_second = sums[tests[t].second];
        int64_t counted = 0;
        for (size_t i = 0; i < block.rounds(); ++i) {
          counted += tests[t].is_as_large(of_second.of_round(i) - of_first.of_round(i)) ? 1 : 0;
        }
        larger[t] += counted;
      }
    }
  });
  const auto drawn = static_cast<double>(permutations.rounds);
  std::vector<TestResult> results;
  for (size_t t = 0; t < tests.size(); ++t) {
    const auto counted = static_cast<double>(larger[t].load());
    const double p = permutations.is_all ? counted / drawn : (counted + 1) / (drawn + 1);
    results.push_back({tests[t].observed, p, !permutations.is_all && counted == 0});
  }
  return results;
}

void require_paired(std::span<const std::vector<double>> series, const Clusters& clusters) {
  for (const std::vector<double>& values : series) {
    if (values.size() == clusters.of.size()) continue;
    throw Error("a paired test needs series of the same length, and their clusters");
  }
}

// Sums over records of a score, its square, and its product with the human deviation.
// One vector, which the compiler would not make of three numbers.
struct ScoreMoments {
  using Vector = double __attribute__((vector_size(32)));
  Vector values = {};

  double sum() const { return values[0]; }
  double squares() const { return values[1]; }
  double product() const { return values[2]; }
  ScoreMoments operator+(const ScoreMoments& other) const { return {values + other.values}; }
  ScoreMoments operator-(const ScoreMoments& other) const { return {values - other.values}; }
};

ScoreMoments score_moments(double score, double human_deviation) {
  return {ScoreMoments::Vector{score, score * score, score * human_deviation, 0}};
}

// Pearson's r; NaN for constant scores.
double correlation(const ScoreMoments& scores, double human_squares, double n) {
  constexpr double kRounding = 1e-12;
  const double squares = scores.squares() - scores.sum() * scores.sum() / n;
  if (squares <= kRounding * scores.squares()) return std::numeric_limits<double>::quiet_NaN();
  return scores.product() / std::sqrt(human_squares * squares);
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

std::vector<std::vector<double>> less_the_first(std::span<const std::vector<double>> series) {
  std::vector<std::vector<double>> relative(series.begin(), series.end());
  for (std::vector<double>& values : relative) {
    for (size_t i = 0; i < values.size(); ++i) values[i] -= series.front()[i];
  }
  return relative;
}

double rounding_of_difference(std::span<const double> first, std::span<const double> second) {
  constexpr double kOfScores = 4 * std::numeric_limits<double>::epsilon(), kOfSums = 1e-12;
  double sum = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    sum += kOfScores * (std::abs(first[i]) + std::abs(second[i])) +
           kOfSums * std::abs(first[i] - second[i]);
  }
  return sum / static_cast<double>(first.size());
}

std::vector<std::optional<TestResult>> permutation_tests_of_correlations(
    std::span<const double> human, std::span<const std::vector<double>> scores,
    const Clusters& clusters, const PermutationOptions& options) {
  require_paired(scores, clusters);
  std::vector<std::optional<double>> with_human;
  for (const auto& metric : scores) with_human.push_back(pearson(human, metric));
  const std::vector<double> deviation = deviations(human);
  double squares = 0;
  for (const double value : deviation) squares += value * value;
  // From one centre for all metrics, as their scores change places: a mean of one that is tested.
  double centre = 0;
  for (size_t metric = 0; metric < scores.size(); ++metric) {
    if (with_human[metric]) centre = mean(scores[metric]);
  }
  std::vector<ScoreMoments> totals(scores.size());
  // By cluster.
  std::vector<std::vector<ScoreMoments>> moments(scores.size(),
                                                 std::vector<ScoreMoments>(clusters.count));
  for (size_t metric = 0; metric < scores.size(); ++metric) {
    for (size_t i = 0; i < deviation.size(); ++i) {
      const ScoreMoments of_record = score_moments(scores[metric][i] - centre, deviation[i]);
      totals[metric] = totals[metric] + of_record;
      moments[metric][clusters.of[i]] = moments[metric][clusters.of[i]] + of_record;
    }
  }
  const auto n = static_cast<double>(deviation.size());
  std::vector<PermutationTest<ScoreMoments>> tests;
  std::vector<bool> is_defined;  // by pair
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      is_defined.push_back(with_human[a] && with_human[b]);
      if (!is_defined.back()) continue;
      const double observed = *with_human[a] - *with_human[b];
      // A tolerance for the rounding of these sums, and of scores and labels near a million.
      tests.push_back({a, b, observed,
                       [=, bound = std::abs(observed) - 1e-9, of_a = totals[a],
                        of_b = totals[b]](const ScoreMoments& gain) {
                         const double difference = correlation(of_a + gain, squares, n) -
                                                   correlation(of_b - gain, squares, n);
                         return std::isnan(difference) || std::abs(difference) >= bound;
                       }});
    }
  }
  const std::vector<TestResult> results =
      run_tests<ScoreMoments>(moments, tests, clusters, options);
  std::vector<std::optional<TestResult>> by_pair;
  size_t next = 0;
  for (const bool defined : is_defined) {
    by_pair.push_back(defined ? std::optional(results[next++]) : std::nullopt);
  }
  return by_pair;
}

std::vector<TestResult> permutation_tests_of_means(std::span<const std::vector<double>> scores,
                                                   const Clusters& clusters,
                                                   const PermutationOptions& options) {
  require_paired(scores, clusters);
  const auto n = static_cast<double>(clusters.of.size());
  const std::vector<std::vector<double>> relative = less_the_first(scores);
  std::vector<std::vector<double>> sums(scores.size(), std::vector<double>(clusters.count));
  for (size_t s = 0; s < scores.size(); ++s) {
    for (size_t i = 0; i < scores[s].size(); ++i) sums[s][clusters.of[i]] += relative[s][i];
  }
  std::vector<PermutationTest<double>> tests;
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      double observed = 0;
      for (size_t i = 0; i < clusters.count; ++i) observed += sums[a][i] - sums[b][i];
      const double bound = std::abs(observed) - n * rounding_of_difference(scores[a], scores[b]);
      // Swapping changes the sign of a cluster's difference.
      tests.push_back({a, b, observed,
                       [=](const double& gain) { return std::abs(observed + 2 * gain) >= bound; }});
    }
  }
  std::vector<TestResult> results = run_tests<double>(sums, tests, clusters, options);
  for (TestResult& result : results) result.statistic /= n;
  return results;
}

int64_t permutations_for(const BootstrapOptions& options, size_t tests) {
  constexpr int64_t kForEach = 1000;
  if (options.resamples < BootstrapOptions{}.resamples) return options.resamples;
  const auto most_tests = static_cast<size_t>(kMostForTests / kForEach);
  return std::max(options.resamples, kForEach * static_cast<int64_t>(std::min(tests, most_tests)));
}

double mcnemar_exact(int64_t only_first, int64_t only_second) {
  const int64_t n = only_first + only_second;
  if (n == 0) return 1;
  const boost::math::binomial distribution(static_cast<double>(n), 0.5);
  const auto fewer = static_cast<double>(std::min(only_first, only_second));
  return std::min(1.0, 2 * boost::math::cdf(distribution, fewer));
}

std::vector<PValue> holm(std::span<const PValue> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i].p; });
  std::vector<PValue> corrected(values.size());
  PValue largest{0, false};
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const PValue& value = values[order[rank]];
    const double p = std::min(1.0, static_cast<double>(order.size() - rank) * value.p);
    if (p > largest.p) largest = {p, value.is_least && p < 1};
    corrected[order[rank]] = largest;
  }
  return corrected;
}

}  // namespace rubric::stats
