#include "stats/significance.h"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/random.h"
#include "paths.h"
#include "stats/correlation.h"

namespace rubric::stats::significance_test {

std::optional<TestResult> permutation_test_of_correlations(std::span<const double> human,
                                                           const std::vector<double>& a,
                                                           const std::vector<double>& b,
                                                           const Clusters& clusters,
                                                           const PermutationOptions& options) {
  return permutation_tests_of_correlations(human, {{a, b}}, clusters, options).front();
}

TestResult permutation_test_of_means(const std::vector<double>& a, const std::vector<double>& b,
                                     const Clusters& clusters, const PermutationOptions& options) {
  return permutation_tests_of_means({{a, b}}, clusters, options).front();
}

const Json& fixture(const char* test) {
  static const Json all =
      Json::parse_file(std::string(fixtures_folder()) + "/stats/significance.json");
  return *all.find(test);
}

double number(const Json& row, const char* name) {
  return row.require_number(name, "significance.json");
}

std::vector<double> numbers(const Json& row, const char* name) {
  std::vector<double> values;
  for (const Json& value : row.find(name)->array()) values.push_back(value.number());
  return values;
}

// Every record a cluster of its own.
Clusters apart(const std::vector<double>& records) {
  Clusters clusters{std::vector<uint32_t>(records.size()), records.size()};
  std::iota(clusters.of.begin(), clusters.of.end(), 0U);
  return clusters;
}

// Of `rounds` permutations of the series themselves, those whose difference of correlations is at
// least the observed one.
int larger_differences(const std::vector<double>& human, const std::vector<double>& a,
                       const std::vector<double>& b, uint64_t rounds,
                       const std::function<bool(uint64_t round, size_t record)>& swaps) {
  const double observed = *pearson(human, a) - *pearson(human, b);
  int larger = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    std::vector<double> first = a, second = b;
    for (size_t i = 0; i < a.size(); ++i) {
      if (swaps(round, i)) std::swap(first[i], second[i]);
    }
    const double difference = *pearson(human, first) - *pearson(human, second);
    larger += std::abs(difference) >= std::abs(observed) - 1e-10 ? 1 : 0;
  }
  return larger;
}

TEST(Significance, WilliamsTestEqualsThePublishedFormula) {
  for (const Json& row : fixture("williams").array()) {
    const auto result =
        williams_test(number(row, "first"), number(row, "second"), number(row, "between"),
                      static_cast<int64_t>(number(row, "n")));
    ASSERT_TRUE(result);
    EXPECT_NEAR(result->statistic, number(row, "t"), 1e-9);
    EXPECT_NEAR(result->p, number(row, "p"), 1e-9);
  }
}

TEST(Significance, WilliamsTestIsUndefinedForTheSameMetricTwiceAndForThreeRecords) {
  EXPECT_FALSE(williams_test(0.5, 0.5, 1, 100));
  EXPECT_FALSE(williams_test(0.5, 0.4, 0.3, 3));
}

TEST(Significance, AllExchangesEqualScipys) {
  for (const Json& row : fixture("permutation").array()) {
    const std::vector<double> a = numbers(row, "a"), b = numbers(row, "b");
    const TestResult of_means = permutation_test_of_means(a, b, apart(a), {10000, 0});
    EXPECT_NEAR(of_means.statistic, number(row, "statistic"), 1e-12);
    EXPECT_NEAR(of_means.p, number(row, "p"), 1e-12);
  }
}

// Over all exchanges of clusters, one after the other, each by Pearson's r itself.
TEST(Significance, TheTestOfCorrelationsIsThatOfEveryExchange) {
  const std::vector<double> human = {1, 2, 5, 3, 4, 4, 1, 5, 2};
  const std::vector<double> a = {0.1, 0.4, 0.9, 0.2, 0.8, 0.7, 0.3, 0.6, 0.1};
  const std::vector<double> b = {0.3, 0.1, 0.7, 0.6, 0.2, 0.9, 0.4, 0.5, 0.8};
  const Clusters clusters{{0, 0, 1, 2, 3, 3, 4, 5, 5}, 6};
  const int larger = larger_differences(human, a, b, 64, [&](uint64_t exchange, size_t i) {
    return (exchange >> clusters.of[i] & 1) != 0;
  });
  const auto result = permutation_test_of_correlations(human, a, b, clusters, {64, 0});
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->statistic, *pearson(human, a) - *pearson(human, b), 1e-15);
  EXPECT_DOUBLE_EQ(result->p, larger / 64.0);
  EXPECT_GT(larger, 2);
  EXPECT_LT(larger, 64);
}

// More clusters than a word has bits, drawn: the same exchanges applied to the series themselves.
TEST(Significance, DrawnExchangesOfCorrelationsAreThoseOfTheSeries) {
  std::vector<double> human, a, b;
  for (int i = 0; i < 150; ++i) {
    human.push_back(std::sin(i) + i % 3);
    a.push_back(std::sin(i) + std::cos(5 * i));
    b.push_back(std::sin(i + 0.3) + std::cos(3 * i));
  }
  const PermutationOptions options{500, 5};
  const int larger = larger_differences(human, a, b, 500, [](uint64_t round, size_t i) {
    return (random_bits(5, Purpose::permutation, round, i / 64) >> (i % 64) & 1) != 0;
  });
  const auto result = permutation_test_of_correlations(human, a, b, apart(a), options);
  EXPECT_DOUBLE_EQ(result->p, (larger + 1) / 501.0);
  EXPECT_GT(larger, 5);
}

// In both ways to draw: more clusters than a word has bits, and few.
TEST(Significance, TheRecordsOfAClusterChangePlacesTogether) {
  std::vector<double> a, b, of_cluster_a, of_cluster_b;
  Clusters pairs;
  for (uint32_t i = 0; i < 150; ++i) {
    a.push_back(std::sin(i));
    b.push_back(std::sin(i + 1) - 0.1);
    pairs.of.push_back(i / 2);
    if (i % 2 == 0) continue;
    of_cluster_a.push_back((a[i - 1] + a[i]) / 2);
    of_cluster_b.push_back((b[i - 1] + b[i]) / 2);
    pairs.count = of_cluster_a.size();
    if (i != 11 && i != 149) continue;
    const PermutationOptions options{2000, 5};
    const TestResult expected =
        permutation_test_of_means(of_cluster_a, of_cluster_b, apart(of_cluster_a), options);
    const TestResult of_means = permutation_test_of_means(a, b, pairs, options);
    EXPECT_NEAR(of_means.statistic, expected.statistic, 1e-12);
    EXPECT_EQ(of_means.p, expected.p);
  }
}

// How many of all exchanges give each sum of whole differences.
std::map<int, double> exchanges_by_sum(const std::vector<int>& differences) {
  std::map<int, double> counts = {{0, 1}};
  for (const int difference : differences) {
    std::map<int, double> next;
    for (const auto& [sum, count] : counts) {
      next[sum + difference] += count;
      next[sum - difference] += count;
    }
    counts = std::move(next);
  }
  return counts;
}

// More clusters than are enumerated: three standard errors of a proportion.
TEST(Significance, DrawnExchangesComeCloseToAllOfThem) {
  std::vector<int> differences;
  std::vector<double> a, b;
  for (int i = 0; i < 30; ++i) {
    differences.push_back(i * i % 11 - 4);
    a.push_back(differences.back());
    b.push_back(0);
  }
  const int observed = std::abs(std::accumulate(differences.begin(), differences.end(), 0));
  double p = 0;
  for (const auto& [sum, count] : exchanges_by_sum(differences)) {
    if (std::abs(sum) >= observed) p += count / std::pow(2, 30);
  }
  ASSERT_GT(p, 0.05);
  ASSERT_LT(p, 0.95);
  const TestResult drawn = permutation_test_of_means(a, b, apart(a), {4000, 7});
  EXPECT_NEAR(drawn.p, p, 3 * std::sqrt(p * (1 - p) / 4000));
  EXPECT_EQ(drawn.p, permutation_test_of_means(a, b, apart(a), {4000, 7}).p);
  EXPECT_NE(drawn.p, permutation_test_of_means(a, b, apart(a), {4000, 8}).p);
}

// Both systems have the same sum, in tenths, which doubles hold as 3e-16 more or less.
TEST(Significance, EqualSumsAreEqualThoughTheyAreRounded) {
  const std::vector<double> a = {0.1, 0.4, 0.5, 0.4, 0.9, 0.8, 0.1, 0.7, 0.4, 0.1, 0.0, 0.4},
                            b = {0.0, 0.9, 1.0, 0.0, 0.1, 0.6, 0.1, 0.0, 0.3, 0.3, 0.9, 0.6};
  const TestResult result = permutation_test_of_means(a, b, apart(a), {10000, 0});
  EXPECT_NE(result.statistic, 0);
  EXPECT_EQ(result.p, 1);
}

std::vector<double> plus(std::vector<double> values, double offset) {
  for (double& value : values) value += offset;
  return values;
}

// Of 12 clusters all exchanges, many of which tie with the observed difference; of 240 some are
// drawn. Near a million tenths are rounded to 10⁻¹⁰, near a billion to 10⁻⁷.
TEST(Significance, AConstantThatIsAddedToAllScoresChangesNothing) {
  std::vector<double> human, a, b;
  for (int i = 0; i < 240; ++i) {
    human.push_back(i * 5 % 7 / 10.0);
    a.push_back((i * 3 % 8 + i * i % 3) / 10.0);
    b.push_back((i * 7 % 5 + i * i % 4) / 10.0);
    if (i != 11 && i != 239) continue;
    const Clusters clusters = apart(a);
    const TestResult of_means = permutation_test_of_means(a, b, clusters, {2000, 0});
    const auto of_correlations = permutation_test_of_correlations(human, a, b, clusters, {2000, 0});
    for (const double offset : {1e6, -1e6, 1e9}) {
      SCOPED_TRACE(offset);
      const std::vector<double> c = plus(a, offset), d = plus(b, offset);
      const TestResult moved = permutation_test_of_means(c, d, clusters, {2000, 0});
      EXPECT_EQ(moved.p, of_means.p);
      EXPECT_NEAR(moved.statistic, of_means.statistic, 1e-15 * std::abs(offset));
      if (std::abs(offset) > 1e6) continue;
      EXPECT_EQ(permutation_test_of_correlations(plus(human, offset), c, d, clusters, {2000, 0})->p,
                of_correlations->p);
    }
  }
}

TEST(Significance, RoundingIsThatOfScoresAndOfTheirDifferences) {
  const std::vector<double> a = {1e6, -1e6}, b = {1e6, -1e6 + 1}, same = {0, 0};
  EXPECT_NEAR(rounding_of_difference(a, b), 4 * 0x1p-52 * 2e6 + 1e-12 / 2, 1e-15);
  EXPECT_EQ(rounding_of_difference(same, same), 0);
}

TEST(Significance, AnUndefinedCorrelationHasNoTest) {
  const std::vector<double> human = {1, 2, 3}, same = {1, 1, 1};
  EXPECT_FALSE(permutation_test_of_correlations(human, human, same, apart(human), {}));
}

TEST(Significance, McNemarEqualsScipysBinomialTest) {
  for (const Json& row : fixture("mcnemar").array()) {
    const auto first = static_cast<int64_t>(number(row, "first"));
    const auto second = static_cast<int64_t>(number(row, "second"));
    EXPECT_NEAR(mcnemar_exact(first, second), number(row, "p"), 1e-12);
    EXPECT_NEAR(mcnemar_exact(second, first), number(row, "p"), 1e-12);
  }
  EXPECT_EQ(mcnemar_exact(0, 0), 1);
}

TEST(Significance, HolmEqualsStatsmodels) {
  for (const Json& row : fixture("holm").array()) {
    std::vector<PValue> values;
    for (const double p : numbers(row, "p")) values.push_back({p});
    const std::vector<PValue> corrected = holm(values);
    const std::vector<double> expected = numbers(row, "holm");
    ASSERT_EQ(corrected.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(corrected[i].p, expected[i], 1e-12);
  }
}

TEST(Significance, TheLeastPIsToldAsSuch) {
  std::vector<double> a, b;
  for (int i = 0; i < 40; ++i) {
    a.push_back(1 + i % 3 * 0.1);
    b.push_back(0);
  }
  const TestResult drawn = permutation_test_of_means(a, b, apart(a), {99, 0});
  EXPECT_EQ(drawn.p, 0.01);
  EXPECT_TRUE(drawn.is_least);
  // All 2^3 exchanges: nothing less could come out.
  const std::vector<double> few = {1, 1, 1}, none = {0, 0, 0};
  const TestResult all = permutation_test_of_means(few, none, apart(few), {99, 0});
  EXPECT_EQ(all.p, 2.0 / 8);
  EXPECT_FALSE(all.is_least);
  // All 2^20, too, although fewer are asked for: 2 / 2^20 is p itself, and not 1 / 100.
  const std::vector<double> twenty(20, 1), zeros(20, 0);
  const TestResult of_twenty = permutation_test_of_means(twenty, zeros, apart(twenty), {99, 0});
  EXPECT_EQ(of_twenty.p, 2.0 / (1 << 20));
  EXPECT_FALSE(of_twenty.is_least);
  EXPECT_FALSE(permutation_test_of_means(a, a, apart(a), {99, 0}).is_least);
}

TEST(Significance, HolmKeepsTheLeastPAsSuch) {
  // 4 × 0.01 lifts 0.012, of which 3 are 0.036; 2 × 0.3 is as it is, and so is what it lifts.
  const std::vector<PValue> corrected =
      holm(std::vector<PValue>{{0.4, true}, {0.012, false}, {0.01, true}, {0.3, false}});
  const std::vector<double> p = {0.6, 0.04, 0.04, 0.6};
  const std::vector<bool> is_least = {false, true, true, false};
  for (size_t i = 0; i < p.size(); ++i) {
    EXPECT_NEAR(corrected[i].p, p[i], 1e-12);
    EXPECT_EQ(corrected[i].is_least, is_least[i]) << i;
  }
  for (const PValue& value : holm(std::vector<PValue>{{0.5, true}, {0.5, true}})) {
    EXPECT_EQ(value.p, 1);
    EXPECT_FALSE(value.is_least);  // at most 1 says nothing
  }
}

TEST(Significance, TablesOfManyTestsDrawMorePermutations) {
  EXPECT_EQ(permutations_for({}, 3), 10'000);
  EXPECT_EQ(permutations_for({}, 90), 90'000);
  EXPECT_LT(90.0 / (90'000 + 1), 0.001);  // the least p after Holm's correction
  EXPECT_EQ(permutations_for({.resamples = 500}, 90), 500);
  EXPECT_EQ(permutations_for({.resamples = 200'000}, 90), 200'000);
  EXPECT_EQ(permutations_for({}, 1140), 200'000);  // 20 metrics in all rows and five groups
  EXPECT_EQ(permutations_for({.resamples = 500'000}, 1140), 500'000);
}

// More clusters and rounds than fit into one table, word or block.
TEST(Significance, AllTestsOfATableAreThoseOfEachPair) {
  std::vector<std::vector<double>> scores(3);
  std::vector<double> human;
  std::vector<int> keys;
  for (uint64_t i = 0; i < 300; ++i) {
    keys.push_back(static_cast<int>(i % 171));
    human.push_back(uniform(random_bits(1, Purpose::initialise, i)));
    for (uint64_t metric = 0; metric < 3; ++metric) {
      scores[metric].push_back(0.1 * static_cast<double>(metric) * human.back() +
                               uniform(random_bits(2 + metric, Purpose::initialise, i)));
    }
  }
  const Clusters clusters = clusters_by(keys);
  const PermutationOptions options{5000, 4};
  const auto of_means = permutation_tests_of_means(scores, clusters, options);
  const auto of_correlations = permutation_tests_of_correlations(human, scores, clusters, options);
  size_t pair = 0;
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
    EXPECT_EQ(of_means[pair].p,
              permutation_test_of_means(scores[a], scores[b], clusters, options).p);
    const auto alone =
        permutation_test_of_correlations(human, scores[a], scores[b], clusters, options);
    EXPECT_EQ(of_correlations[pair]->p, alone->p);
    EXPECT_EQ(of_correlations[pair++]->statistic, alone->statistic);
    // The same by swapping record by record.
    const auto swaps = [&](uint64_t round, size_t i) {
      const uint32_t cluster = clusters.of[i];
      return (random_bits(options.seed, Purpose::permutation, round, cluster / 64) >> cluster % 64 &
              1) != 0;
    };
    const int larger = larger_differences(human, scores[a], scores[b], 5000, swaps);
    EXPECT_EQ(alone->p, (larger + 1) / 5001.0);
  }
}

}  // namespace rubric::stats::significance_test
