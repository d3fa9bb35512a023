// What `compare` makes of systems whose rows are matched: ties, corrections, rows that differ.
#include "eval/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "eval/result/render.h"
#include "measured.h"
#include "messages.h"

namespace rubric::eval::compare_test {

// scores[metric][system][record]
MatchedSystems systems_of(const std::vector<std::vector<std::vector<double>>>& scores) {
  MatchedSystems systems;
  systems.scores = scores;
  std::vector<std::string> ids;
  for (size_t i = 0; i < scores[0][0].size(); ++i) {
    ids.push_back("r" + std::to_string(i));
    systems.records.push_back({"", "", ids.back()});
  }
  for (size_t s = 0; s < scores[0].size(); ++s) {
    systems.names.push_back(std::string(1, static_cast<char>('a' + s)));
    systems.texts.emplace_back();
    for (const std::string& id : ids) {
      systems.texts.back().push_back({"q " + id, "", systems.names.back() + " " + id});
    }
  }
  systems.questions = stats::clusters_by(ids);
  return systems;
}

const MatchedSystems kSystems =
    systems_of({{{1, 0.5, 0.2, 0.9, 0}, {0, 0.5, 0.9, 0.9, 0}, {1, 1, 1, 1, 0}},
                {{-3, -1, -2, -5, -4}, {-3, -2, -1, -5.00001, -9}, {-3, -3, -3, -3, -3}}});

// Of two systems, by the permutation test or the bootstrap.
const Measurement& difference_of(const Result& result, const std::string& metric,
                                 const std::string& method, const std::string& system = "a",
                                 const std::string& against = "b") {
  return measurement_of(result.measurements, "difference",
                        {.metric = metric, .system = system, .against = against, .method = method});
}

// Wins, ties and losses of a against b.
std::vector<int64_t> wins_of(const Result& result, const std::string& metric) {
  std::vector<int64_t> counts;
  for (const char* const statistic : {"wins", "ties", "losses"}) {
    const Keys keys{.metric = metric, .system = "a", .against = "b"};
    counts.push_back(
        static_cast<int64_t>(*measurement_of(result.measurements, statistic, keys).value));
  }
  return counts;
}

TEST(CompareSystems, CountsWinsTiesAndLossesOnEachMetricsScale) {
  const Result result = compare_systems(kSystems, {"f1", "likelihood"}, {}, 0);
  EXPECT_TRUE(result.records.empty());
  EXPECT_EQ(wins_of(result, "f1"), (std::vector<int64_t>{1, 3, 1}));
  // -5 and -5.00001 tie, with values from -9 to -1.
  EXPECT_EQ(wins_of(result, "likelihood"), (std::vector<int64_t>{2, 2, 1}));
}

// Means of the same numbers in another order, and nothing else that differs.
TEST(CompareSystems, RoundingIsATie) {
  const double one = (0.1 + 0.2) + 0.3, other = 0.1 + (0.2 + 0.3);
  ASSERT_NE(one, other);
  const Result result =
      compare_systems(systems_of({{{one, other, one}, {other, one, one}}}), {"f1"}, {}, 0);
  EXPECT_EQ(wins_of(result, "f1"), (std::vector<int64_t>{0, 3, 0}));
}

TEST(CompareSystems, OneMetricAmongSeveralIsAsAlone) {
  const Result both = compare_systems(kSystems, {"f1", "likelihood"}, {}, 0);
  MatchedSystems second = kSystems;
  second.scores.erase(second.scores.begin());
  const Result alone = compare_systems(second, {"likelihood"}, {}, 0);
  for (const auto& [a, b] : {std::pair("a", "b"), {"a", "c"}, {"b", "c"}}) {
    for (const char* const method : {"bootstrap", "permutation"}) {
      const Measurement &one = difference_of(both, "likelihood", method, a, b),
                        &other = difference_of(alone, "likelihood", method, a, b);
      EXPECT_EQ(one.value, other.value);
      EXPECT_EQ(one.p, other.p);
      EXPECT_EQ(one.interval ? one.interval->low : 0, other.interval ? other.interval->low : 0);
    }
  }
}

TEST(CompareSystems, ListsTheRowsThatDifferMostByTheFirstMetric) {
  const Result result = compare_systems(kSystems, {"f1", "likelihood"}, {}, 2);
  // Texts that no row has get no column; long ones are cut between characters.
  const Table table = records_table(result.records.front(), 3);
  EXPECT_EQ(table.header,
            (std::vector<std::string>{"system", "against", "id", "question", "system_candidate",
                                      "system_score", "against_candidate", "against_score"}));
  EXPECT_EQ(table.rows[2],
            (std::vector<std::string>{"a", "c", "r2", "q r…", "a r…", "0.200", "c r…", "1.000"}));
  EXPECT_EQ(table.rows[3][5], "0.500");
  EXPECT_EQ(table.rows[4][0], "b");  // two rows of each two systems
}

TEST(CompareSystems, SystemsWithTheSameScoresTieEverywhere) {
  const Result result = compare_systems(systems_of({{{1, 1, 1}, {1, 1, 1}}}), {"em"}, {}, 5);
  EXPECT_EQ(wins_of(result, "em"), (std::vector<int64_t>{0, 3, 0}));
  EXPECT_EQ(difference_of(result, "em", "permutation").p, 1);
  EXPECT_EQ(result.records.front().size, 0u);
}

// Of four records all 256 resamples: 208 have a difference as far from the observed one as that is
// from 0, so p is 0.8125. 10,000 drawn ones know it to ± 0.012.
TEST(CompareSystems, PIsThatOfAllResamplesWhereverTheScoresLie) {
  const std::vector<double> first = {0.1, 0.3, 0.6, 0.4}, second = {0.5, 0.5, 0.4, 0.2};
  int as_far = 0;
  for (int resample = 0; resample < 256; ++resample) {
    int tenths = 0;
    for (int i = 0, rest = resample; i < 4; ++i, rest /= 4) {
      tenths += static_cast<int>(std::lround(10 * (first[rest % 4] - second[rest % 4])));
    }
    as_far += std::abs(tenths + 2) >= 2 ? 1 : 0;  // all four: -2
  }
  ASSERT_EQ(as_far / 256.0, 0.8125);
  std::optional<Measurement> unmoved, unmoved_test;
  for (const double offset : {0.0, 1e6, -1e6, 1e9}) {
    SCOPED_TRACE(offset);
    std::vector<double> a = first, b = second;
    for (size_t i = 0; i < 4; ++i) {
      a[i] += offset;
      b[i] += offset;
    }
    const Result result = compare_systems(systems_of({{a, b}}), {"f1"}, {}, 0);
    const Measurement& bootstrap = difference_of(result, "f1", "bootstrap");
    const Measurement& test = difference_of(result, "f1", "permutation");
    EXPECT_NEAR(bootstrap.p.value(), 0.8125, 0.012);
    if (!unmoved) unmoved = bootstrap;
    if (!unmoved_test) unmoved_test = test;
    EXPECT_EQ(bootstrap.p, unmoved->p);
    EXPECT_EQ(test.p, unmoved_test->p);
    const double rounding = 1e-15 * std::abs(offset) + 1e-15;
    EXPECT_NEAR(bootstrap.value.value(), -0.05, rounding);
    EXPECT_NEAR(bootstrap.interval->low, unmoved->interval->low, rounding);
    EXPECT_NEAR(bootstrap.interval->high, unmoved->interval->high, rounding);
    const Measurement& mean =
        measurement_of(result.measurements, "mean", {.metric = "f1", .system = "b"});
    EXPECT_NEAR(mean.interval->high - offset, 0.5, 1e-15 * std::abs(offset) + 1e-12);
  }
}

// A mean of small scores differs, and one of large scores differs by more than rounding.
TEST(CompareSystems, OnlyRoundingMakesMeansEqual) {
  const auto first_note = [](const std::vector<double>& a, const std::vector<double>& b) {
    return compare_systems(systems_of({{a, b}}), {"f1"}, {}, 9).notes.front();
  };
  const std::vector<double> tiny(30, 2e-14), larger(30, 7.5e-14);
  EXPECT_EQ(first_note(tiny, larger).find("have the same mean"), std::string::npos);
  EXPECT_TRUE(first_note(tiny, larger).starts_with("f1: b has the highest mean"));
  EXPECT_EQ(first_note({1e6, 0.1, 0.2}, {0.2, 0.1, 1e6}), "f1: a, b have the same mean");
}

// 10 permutations give no p below 1/11.
TEST(CompareSystems, ABoundIsNoVerdict) {
  std::vector<double> low, high;
  for (int i = 0; i < 40; ++i) {
    low.push_back(0.01 * i);
    high.push_back(0.01 * i + 0.5);
  }
  const auto first_note = [&](int64_t resamples) {
    return compare_systems(systems_of({{low, high}}), {"f1"}, {.resamples = resamples, .seed = 1},
                           0)
        .notes.front();
  };
  EXPECT_EQ(first_note(10),
            "f1: b has the highest mean; too few permutations were drawn to test the difference "
            "for a");
  EXPECT_EQ(
      first_note(1000),
      "f1: b has the highest mean; the difference to every other system is significant at 0.05");
}

TEST(CompareSystems, TheReportBeginsWithWhatDecides) {
  const Result result = compare_systems(kSystems, {"f1", "likelihood"}, {}, 5);
  const Report report = result_report(result, "");
  EXPECT_EQ(report.title, "Comparison of 3 systems");
  ASSERT_GE(report.paragraphs.size(), 2u);
  EXPECT_EQ(report.paragraphs[0],
            "f1: c has the highest mean; the difference is not significant at 0.05 for a, b");
  EXPECT_EQ(report.plots.size(), 4u);  // means and differences by each metric
  expect_contains(to_html(report), "Rows on which two systems differ most in f1");
}

}  // namespace rubric::eval::compare_test
