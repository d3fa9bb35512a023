// What `compare` makes of systems whose rows are matched: ties, corrections, rows that differ.
#include "eval/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "eval/result/render.h"
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

TEST(CompareSystems, CountsWinsTiesAndLossesOnEachMetricsScale) {
  const SystemComparison comparison = compare_systems(kSystems, {"f1", "likelihood"}, {}, 0);
  EXPECT_TRUE(comparison.differing.empty());
  const Comparison& by_f1 = comparison.groups[0].metrics[0].comparisons[0];
  EXPECT_EQ(std::vector({by_f1.wins, by_f1.ties, by_f1.losses}), (std::vector<int64_t>{1, 3, 1}));
  // -5 and -5.00001 tie, with values from -9 to -1.
  const Comparison& by_likelihood = comparison.groups[0].metrics[1].comparisons[0];
  EXPECT_EQ(std::vector({by_likelihood.wins, by_likelihood.ties, by_likelihood.losses}),
            (std::vector<int64_t>{2, 2, 1}));
}

// Means of the same numbers in another order, and nothing else that differs.
TEST(CompareSystems, RoundingIsATie) {
  const double one = (0.1 + 0.2) + 0.3, other = 0.1 + (0.2 + 0.3);
  ASSERT_NE(one, other);
  const SystemComparison comparison =
      compare_systems(systems_of({{{one, other, one}, {other, one, one}}}), {"f1"}, {}, 0);
  const Comparison& pair = comparison.groups[0].metrics[0].comparisons[0];
  EXPECT_EQ(std::vector({pair.wins, pair.ties, pair.losses}), (std::vector<int64_t>{0, 3, 0}));
}

TEST(CompareSystems, OneMetricAmongSeveralIsAsAlone) {
  const SystemComparison both = compare_systems(kSystems, {"f1", "likelihood"}, {}, 0);
  MatchedSystems second = kSystems;
  second.scores.erase(second.scores.begin());
  const SystemComparison alone = compare_systems(second, {"likelihood"}, {}, 0);
  for (size_t pair = 0; pair < 3; ++pair) {
    const Comparison &one = both.groups[0].metrics[1].comparisons[pair],
                     &other = alone.groups[0].metrics[0].comparisons[pair];
    EXPECT_EQ(one.difference, other.difference);
    EXPECT_EQ(one.bootstrap_p, other.bootstrap_p);
    EXPECT_EQ(one.interval->low, other.interval->low);
    EXPECT_EQ(one.permutation_p, other.permutation_p);
  }
}

TEST(CompareSystems, ListsTheRowsThatDifferMostByTheFirstMetric) {
  const SystemComparison comparison = compare_systems(kSystems, {"f1", "likelihood"}, {}, 2);
  ASSERT_EQ(comparison.differing.size(), 3u);
  const std::vector<DifferingRow>& rows = comparison.differing[1].rows;  // a and c
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].id, "r2");
  EXPECT_EQ(rows[0].first_candidate, "a r2");
  EXPECT_EQ(rows[0].second_candidate, "c r2");
  EXPECT_EQ(rows[1].first_score, 0.5);
  // Texts that no row has get no column; long ones are cut between characters.
  const Result result = comparison_result(comparison);
  const Table table = records_table(result.records.front(), 3);
  EXPECT_EQ(table.header,
            (std::vector<std::string>{"system", "against", "id", "question", "system_candidate",
                                      "system_score", "against_candidate", "against_score"}));
  EXPECT_EQ(table.rows[2],
            (std::vector<std::string>{"a", "c", "r2", "q r…", "a r…", "0.200", "c r…", "1.000"}));
  EXPECT_TRUE(
      comparison_result(compare_systems(kSystems, {"f1", "likelihood"}, {}, 0)).records.empty());
}

TEST(CompareSystems, SystemsWithTheSameScoresTieEverywhere) {
  const SystemComparison comparison =
      compare_systems(systems_of({{{1, 1, 1}, {1, 1, 1}}}), {"em"}, {}, 5);
  const Comparison& pair = comparison.groups[0].metrics[0].comparisons[0];
  EXPECT_EQ(pair.ties, 3);
  EXPECT_EQ(pair.permutation_p, 1);
  EXPECT_TRUE(comparison.differing[0].rows.empty());
  EXPECT_EQ(comparison_result(comparison).records.front().size, 0u);
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
  std::optional<Comparison> unmoved;
  for (const double offset : {0.0, 1e6, -1e6, 1e9}) {
    SCOPED_TRACE(offset);
    std::vector<double> a = first, b = second;
    for (size_t i = 0; i < 4; ++i) {
      a[i] += offset;
      b[i] += offset;
    }
    const SystemComparison comparison = compare_systems(systems_of({{a, b}}), {"f1"}, {}, 0);
    const MetricComparison& metric = comparison.groups[0].metrics[0];
    const Comparison& pair = metric.comparisons[0];
    EXPECT_NEAR(pair.bootstrap_p.value(), 0.8125, 0.012);
    if (!unmoved) unmoved = pair;
    EXPECT_EQ(pair.bootstrap_p, unmoved->bootstrap_p);
    EXPECT_EQ(pair.permutation_p, unmoved->permutation_p);
    const double rounding = 1e-15 * std::abs(offset) + 1e-15;
    EXPECT_NEAR(pair.difference, -0.05, rounding);
    EXPECT_NEAR(pair.interval->low, unmoved->interval->low, rounding);
    EXPECT_NEAR(pair.interval->high, unmoved->interval->high, rounding);
    EXPECT_NEAR(metric.means[1].interval->high - offset, 0.5, 1e-15 * std::abs(offset) + 1e-12);
  }
}

// A mean of small scores differs, and one of large scores differs by more than rounding.
TEST(CompareSystems, OnlyRoundingMakesMeansEqual) {
  const auto first_note = [](const std::vector<double>& a, const std::vector<double>& b) {
    return comparison_result(compare_systems(systems_of({{a, b}}), {"f1"}, {}, 9)).notes.front();
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
    return comparison_result(compare_systems(systems_of({{low, high}}), {"f1"},
                                             {.resamples = resamples, .seed = 1}, 0))
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
  const Result result = comparison_result(compare_systems(kSystems, {"f1", "likelihood"}, {}, 5));
  const Report report = result_report(result, "");
  EXPECT_EQ(report.title, "Comparison of 3 systems");
  ASSERT_GE(report.paragraphs.size(), 2u);
  EXPECT_EQ(report.paragraphs[0],
            "f1: c has the highest mean; the difference is not significant at 0.05 for a, b");
  EXPECT_EQ(report.plots.size(), 4u);  // means and differences by each metric
  expect_contains(to_html(report), "Rows on which two systems differ most in f1");
}

}  // namespace rubric::eval::compare_test
