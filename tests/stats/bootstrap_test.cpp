#include "stats/bootstrap.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/context.h"
#include "core/error.h"
#include "core/random.h"
#include "stats/correlation.h"

namespace rubric::stats::bootstrap_test {

// Uniform numbers on [0, 1), the same on every machine.
std::vector<double> numbers(size_t count, uint64_t seed) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(uniform(random_bits(seed, Purpose::initialise, i)));
  }
  return values;
}

std::vector<std::optional<double>> statistics_of(std::span<const double> x,
                                                 std::span<const double> y,
                                                 const BootstrapOptions& options,
                                                 uint64_t stream = 0) {
  const ResampledCorrelation correlation(x, y);
  Clusters apart{std::vector<uint32_t>(x.size()), x.size()};
  std::iota(apart.of.begin(), apart.of.end(), 0U);
  return resampled_statistics(
             apart, options, stream, 1,
             [&](Counts counts) { return Statistics{correlation.pearson(counts)}; })
      .front();
}

std::optional<Interval> interval_of(std::span<const double> x, std::span<const double> y,
                                    const BootstrapOptions& options = {}) {
  return percentile_interval(statistics_of(x, y, options));
}

TEST(Bootstrap, PercentilesInterpolateAsNumpyDoes) {
  std::vector<std::optional<double>> statistics = {std::nullopt};
  for (int i = 10; i >= 1; --i) statistics.push_back(i);
  const auto interval = percentile_interval(statistics);  // numpy.percentile(range(1, 11), …)
  EXPECT_NEAR(interval->low, 1.225, 1e-12);
  EXPECT_NEAR(interval->high, 9.775, 1e-12);
}

TEST(Bootstrap, IsUndefinedWhenEveryResampleIs) {
  const std::vector<double> constant(5, 1.0), values = numbers(5, 1);
  EXPECT_FALSE(interval_of(constant, values));
  EXPECT_FALSE(interval_of({}, {}));
}

TEST(Bootstrap, IntervalsOfMeansAreThoseOfTheStatistic) {
  const std::vector<double> x = numbers(40, 1), y = numbers(40, 2);
  std::vector<std::vector<double>> rows;
  std::vector<int> keys;
  for (size_t i = 0; i < x.size(); ++i) {
    rows.push_back({x[i], y[i]});
    keys.push_back(static_cast<int>(i * i % 7));  // four clusters of different sizes
  }
  const BootstrapOptions options{.resamples = 200, .seed = 3};
  const Clusters clusters = clusters_by(keys);
  std::vector<std::optional<double>> means(200);
  visit_resamples(clusters, options, 0, [&](size_t resample, Counts counts) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < y.size(); ++i) {
      sum += counts[i] * y[i];
      count += counts[i];
    }
    means[resample] = sum / count;
  });
  const auto expected = percentile_interval(means);
  const ClusterSums sums = cluster_sums(rows, clusters);
  const ClusterSums* const twice[] = {&sums, &sums};
  const std::vector<Interval> intervals = bootstrap_sums(twice, options, means_of_sums);
  ASSERT_EQ(intervals.size(), 4U);
  EXPECT_NEAR(intervals[1].low, expected->low, 1e-12);
  EXPECT_NEAR(intervals[1].high, expected->high, 1e-12);
  EXPECT_NE(intervals[0].low, intervals[1].low);
  EXPECT_EQ(intervals[3].low, intervals[1].low);  // the second columns, of the same draws
}

TEST(Bootstrap, FiguresOfSumsAreThoseOfTheDrawnRecords) {
  const std::vector<std::vector<double>> rows = {{1, 2}, {3, 4}, {0, 7}, {5, 6}, {2, 2}};
  const Clusters clusters = clusters_by(std::vector<int>{0, 0, 1, 2, 3});
  const BootstrapOptions options{.resamples = 200};
  std::vector<std::optional<double>> ratios(200);
  visit_resamples(clusters, options, 0, [&](size_t resample, Counts counts) {
    double first = 0, second = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      first += counts[i] * rows[i][0];
      second += counts[i] * rows[i][1];
    }
    ratios[resample] = first / second;
  });
  const auto expected = percentile_interval(ratios);
  const ClusterSums of_clusters = cluster_sums(rows, clusters);
  const ClusterSums* const all[] = {&of_clusters};
  const std::vector<Interval> intervals =
      bootstrap_sums(all, options, [](std::span<const double> sums, double records) {
        return std::vector<double>{sums[0] / sums[1], records};
      });
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_DOUBLE_EQ(intervals[0].low, expected->low);
  EXPECT_DOUBLE_EQ(intervals[0].high, expected->high);
  EXPECT_LT(intervals[1].low, intervals[1].high);  // one cluster has two records
}

TEST(Bootstrap, SumsOfDifferentClustersAreRefused) {
  ClusterSums two{.columns = 1}, three{.columns = 1};
  for (const uint32_t cluster : {0, 1}) two.add(cluster, std::vector<double>{1});
  for (const uint32_t cluster : {0, 1, 2}) three.add(cluster, std::vector<double>{1});
  const ClusterSums* const more[] = {&two, &three};
  const ClusterSums* const fewer[] = {&three, &two};
  EXPECT_THROW(bootstrap_sums(more, {}, means_of_sums), Error);
  EXPECT_THROW(bootstrap_sums(fewer, {}, means_of_sums), Error);
  EXPECT_THROW(bootstrap_sums({}, {}, means_of_sums), Error);
}

// Not only between resamples of many threads: one thread draws them all here.
TEST(Bootstrap, EndsAtTheNextResampleWhenItIsCancelled) {
  ClusterSums sums{.columns = 1};
  for (const uint32_t cluster : {0, 1, 2}) sums.add(cluster, std::vector<double>{1});
  const ClusterSums* const all[] = {&sums};
  CancellationSource stop;
  const ContextScope scope({nullptr, stop.token(), {}, 1});
  int64_t drawn = 0;
  const auto values = [&](std::span<const double> totals, double records) {
    if (++drawn == 5) stop.cancel();
    return means_of_sums(totals, records);
  };
  EXPECT_THROW(bootstrap_sums(all, {.resamples = 1000}, values), Interrupted);
  EXPECT_EQ(drawn, 5);
}

TEST(Bootstrap, SkipsUndefinedResamples) {
  const std::vector<double> x = {1, 2}, y = {1, 3};  // half the resamples are constant
  const auto statistics = statistics_of(x, y, {});
  const auto undefined = std::count(statistics.begin(), statistics.end(), std::nullopt);
  EXPECT_NEAR(static_cast<double>(undefined), 5000, 5 * 50);  // five standard errors
  EXPECT_EQ(interval_of(x, y)->low, 1);
}

TEST(Bootstrap, DependsOnTheSeedAlone) {
  const std::vector<double> x = numbers(50, 2), y = numbers(50, 6);
  const auto statistics = [&](uint64_t seed) {
    return statistics_of(x, y, {.resamples = 100, .seed = seed});
  };
  EXPECT_EQ(statistics(7), statistics(7));
  EXPECT_NE(statistics(7), statistics(8));
}

// By its definition: every resample holds n records, each as often as its numbers say.
TEST(Bootstrap, CountsWhatTheRandomNumbersDraw) {
  constexpr size_t kRecords = 2000, kResamples = 1500;  // enough to be shared among threads
  std::vector<std::vector<uint32_t>> drawn(kResamples);
  visit_resamples(kRecords, {.resamples = kResamples, .seed = 3}, 5,
                  [&](size_t resample, Counts counts) {
                    EXPECT_TRUE(drawn[resample].empty());
                    drawn[resample].assign(counts.begin(), counts.end());
                  });
  const uint64_t seed = random_bits(3, Purpose::bootstrap, 5);
  for (const size_t resample : {size_t{0}, kResamples / 2, kResamples - 1}) {
    std::vector<uint32_t> expected(kRecords);
    for (size_t i = 0; i < kRecords; ++i) {
      ++expected[below(random_bits(seed, Purpose::bootstrap, resample, i), kRecords)];
    }
    EXPECT_EQ(drawn[resample], expected) << resample;
  }
  for (const auto& counts : drawn) ASSERT_EQ(counts.size(), kRecords);
}

std::vector<std::vector<uint32_t>> all_counts(const auto& drawn_from) {
  std::vector<std::vector<uint32_t>> all(50);
  visit_resamples(drawn_from, {.resamples = 50}, 2, [&](size_t resample, Counts counts) {
    all[resample].assign(counts.begin(), counts.end());
  });
  return all;
}

TEST(Bootstrap, DrawsTheRecordsOfAClusterTogether) {
  const auto clusters = all_counts(size_t{3});
  const auto rows = all_counts(Clusters{{0, 1, 0, 2, 1, 0}, 3});
  for (size_t i = 0; i < clusters.size(); ++i) {
    const std::vector<uint32_t>& drawn = clusters[i];
    EXPECT_EQ(rows[i],
              (std::vector<uint32_t>{drawn[0], drawn[1], drawn[0], drawn[2], drawn[1], drawn[0]}));
  }
  EXPECT_EQ(all_counts(Clusters{{0, 1, 2, 3, 4}, 5}), all_counts(size_t{5}));
}

// Every record twice, as a cluster: no interval becomes narrower by that.
TEST(Bootstrap, RepeatedRecordsOfAClusterTellNothingNew) {
  std::vector<double> x = numbers(60, 8), y = numbers(60, 9);
  for (size_t i = 0; i < x.size(); ++i) y[i] = std::round(4 * (x[i] + y[i]));  // ties, too
  std::vector<double> twice_x, twice_y;
  Clusters pairs{{}, x.size()};
  for (size_t i = 0; i < x.size(); ++i) {
    twice_x.insert(twice_x.end(), 2, x[i]);
    twice_y.insert(twice_y.end(), 2, y[i]);
    pairs.of.insert(pairs.of.end(), 2, static_cast<uint32_t>(i));
  }
  const auto all_statistics = [](const auto& drawn_from, const auto& a, const auto& b) {
    const ResampledCorrelation correlation(a, b);
    std::vector<Correlations> all(40);
    visit_resamples(drawn_from, {.resamples = 40}, 0, [&](size_t resample, Counts counts) {
      all[resample] = correlation.all(counts);
    });
    return all;
  };
  const auto once = all_statistics(x.size(), x, y), twice = all_statistics(pairs, twice_x, twice_y);
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_NEAR(*once[i].pearson, *twice[i].pearson, 1e-12);
    EXPECT_NEAR(*once[i].spearman, *twice[i].spearman, 1e-12);
    EXPECT_NEAR(*once[i].kendall, *twice[i].kendall, 1e-12);
  }
}

TEST(ResampledSums, AreSumsOverTheDrawnRecords) {
  const Clusters clusters{{0, 1, 0, 2, 1, 0}, 3};
  const std::vector<std::vector<double>> columns = {{1, 2, 3, 4, 5, 6}, {0, 1, 0, 0, 0.5, 0}};
  const ResampledSums sums(clusters, columns);
  visit_resamples(clusters, {.resamples = 20}, 0, [&](size_t, Counts counts) {
    std::vector<double> expected(2);
    for (size_t i = 0; i < counts.size(); ++i) {
      for (size_t j = 0; j < 2; ++j) expected[j] += counts[i] * columns[j][i];
    }
    EXPECT_EQ(sums.of(counts), expected);
  });
}

TEST(Bootstrap, StreamsDiffer) {
  const std::vector<double> x = numbers(50, 3), y = numbers(50, 4);
  EXPECT_NE(statistics_of(x, y, {}, 0), statistics_of(x, y, {}, 1));
}

// Of 200 samples of two correlated series, about 95% of the intervals hold the true correlation.
TEST(Bootstrap, CoversTheTrueCorrelation) {
  int covered = 0;
  for (uint64_t trial = 0; trial < 200; ++trial) {
    const std::vector<double> x = numbers(100, 100 + trial), noise = numbers(100, 1000 + trial);
    std::vector<double> y(100);
    for (size_t i = 0; i < y.size(); ++i) y[i] = x[i] + noise[i];  // correlation sqrt(1/2)
    const auto interval = *interval_of(x, y, {.resamples = 300, .seed = trial});
    covered += interval.low <= std::sqrt(0.5) && std::sqrt(0.5) <= interval.high ? 1 : 0;
  }
  EXPECT_GE(covered, 180);
  EXPECT_LE(covered, 199);
}

}  // namespace rubric::stats::bootstrap_test
