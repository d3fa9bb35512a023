// How far raters agree.
#include <gtest/gtest.h>

#include "core/json/json.h"
#include "eval/chie/chie.h"
#include "judge/ledger/example_entry.h"
#include "messages.h"
#include "paths.h"

namespace rubric::eval::agreement_test {

// Verdicts as scikit-learn's and numpy's script has them: -1 is none.
struct AgreementFixture : testing::Test {
  AgreementFixture() {
    const Json::Array& answers = json_.find("answers")->array();
    for (const Json& answer : answers) {
      entries_.push_back(example_entry("llama", std::to_string(entries_.size())));
      entries_.back().passage_hash = answer.find("question")->number_text();
      judge_.ratings.emplace_back(rating(answer.find("judge")->array()));
      truth_.ratings.emplace_back(rating(answer.find("truth")->array()));
    }
    for (const judge::LedgerEntry& entry : entries_) answers_.push_back(&entry);
  }
  static Ratings rating(const Json::Array& verdicts) {
    Ratings rating;
    for (size_t i = 0; i < rating.size(); ++i) {
      if (verdicts[i].number() >= 0) rating[i] = verdicts[i].number() == 1;
    }
    return rating;
  }
  void expect_figures(std::span<const AgreementStatistic> figures) const {
    const ChieAgreement agreement =
        agreement_of(judge_, truth_, figures, answers_, {.resamples = 20'000, .seed = 2});
    EXPECT_EQ(agreement.n, 123);
    EXPECT_EQ(agreement.questions, 60);
    for (size_t group = 0; group < kAspectGroups; ++group) {
      const Json& values = *json_.find("figures")->find(aspect_group(group));
      const Json& intervals = *json_.find("intervals")->find(aspect_group(group));
      for (size_t i = 0; i < figures.size(); ++i) {
        SCOPED_TRACE(std::string(aspect_group(group)) + " " + figures[i].key);
        const AgreementOf& of = agreement.groups[group];
        EXPECT_NEAR(of.values[i].value(), values.find(figures[i].key)->number(), 1e-11);
        // Two series of 20,000 resamples: five standard errors of a percentile or more. Intervals
        // over answers drawn one by one are narrower than that.
        const Json::Array& ends = intervals.find(figures[i].key)->array();
        constexpr double kTolerance = 0.012;
        EXPECT_NEAR(of.intervals[i]->low, ends[0].number(), kTolerance);
        EXPECT_NEAR(of.intervals[i]->high, ends[1].number(), kTolerance);
      }
    }
  }

  Json json_ = Json::parse_file(std::string(fixtures_folder()) + "/chie/agreement.json");
  std::vector<judge::LedgerEntry> entries_;
  std::vector<const judge::LedgerEntry*> answers_;
  Rater judge_{"judge", {}}, truth_{"truth", {}};
};

TEST_F(AgreementFixture, WithTheTruthEqualsScikitLearn) {
  expect_figures(kGoldStatistics);
}

TEST_F(AgreementFixture, OfJudgesEqualsScikitLearn) {
  expect_figures(kJudgeStatistics);
}

TEST_F(AgreementFixture, DependsOnTheSeedAlone) {
  const auto interval = [&](uint64_t seed) {
    const ChieAgreement agreement =
        agreement_of(judge_, truth_, kJudgeStatistics, answers_, {.resamples = 500, .seed = seed});
    return agreement.groups.back().intervals[1]->low;
  };
  EXPECT_EQ(interval(1), interval(1));
  EXPECT_NE(interval(1), interval(2));
}

struct Agreements : testing::Test {
  ChieAgreements evaluate(const std::vector<std::vector<std::optional<Ratings>>>& judges) {
    ChieAssessments assessments;
    for (const judge::LedgerEntry& entry : entries_) assessments.answers.push_back(&entry);
    for (const auto& ratings : judges) {
      assessments.judges.push_back(
          {std::string(1, static_cast<char>('A' + assessments.judges.size())), ratings});
    }
    return evaluate_agreements(assessments, {.resamples = 10});
  }

  static constexpr Ratings kAll = {true, true, true, true}, kNo = {false, false, false, false};
  std::vector<judge::LedgerEntry> entries_ = {
      example_entry("llama", "1"), example_entry("llama", "2"), example_entry("sea-lion", "1")};
};

TEST_F(Agreements, AreOfEachPairOnWhatBothAssess) {
  const ChieAgreements agreements =
      evaluate({{kAll, kNo, Ratings()}, {kAll, std::nullopt, kAll}, {kNo, kNo, kAll}});
  ASSERT_EQ(agreements.judges.size(), 3u);
  const ChieAgreement& first = agreements.judges[0];
  EXPECT_EQ(first.first, "A");
  EXPECT_EQ(first.second, "B");
  EXPECT_EQ(first.n, 2);
  EXPECT_EQ(first.invalid, (std::array<int64_t, 2>{1, 0}));
  EXPECT_EQ(first.groups[0].counts.n(), 1);
  EXPECT_EQ(first.groups.back().counts.n(), 4);
  EXPECT_EQ(first.groups[0].values[0], 1);
  EXPECT_EQ(first.groups[0].values[1], std::nullopt);  // both say yes, always
  EXPECT_EQ(first.groups[0].intervals[1], std::nullopt);
  EXPECT_EQ(agreements.judges[1].first, "A");
  EXPECT_EQ(agreements.judges[1].second, "C");
  EXPECT_EQ(agreements.judges[2].groups[0].values[0], 0.5);
  EXPECT_TRUE(agreements.with_majority.empty());
}

// All answers are to the same question in a passage: one cluster, always drawn whole, which would
// make an interval of no width.
TEST_F(Agreements, ResampleQuestions) {
  const std::vector<std::vector<std::optional<Ratings>>> judges = {{kAll, kAll, kNo},
                                                                   {kAll, kNo, kNo}};
  const ChieAgreement collectively = evaluate(judges).judges[0];
  EXPECT_EQ(collectively.questions, 1);
  EXPECT_EQ(collectively.groups[0].questions, 1);
  EXPECT_TRUE(collectively.groups[0].values[0]);
  EXPECT_FALSE(collectively.groups[0].intervals[0]);
  entries_[1].answer.question = "Who?";
  const ChieAgreement apart = evaluate(judges).judges[0];
  EXPECT_EQ(apart.questions, 2);
  EXPECT_LT(apart.groups[0].intervals[0]->low, apart.groups[0].intervals[0]->high);
}

// Two questions, of which C is decided in one.
TEST_F(Agreements, HaveNoIntervalOnOneQuestion) {
  entries_[1].answer.question = "Who?";
  const Ratings without_c = {std::nullopt, true, false, false};
  const ChieAgreement agreement = evaluate({{kAll, kAll, kNo}, {kAll, without_c, kNo}}).judges[0];
  EXPECT_EQ(agreement.questions, 2);
  EXPECT_EQ(agreement.groups[0].questions, 1);
  EXPECT_FALSE(agreement.groups[0].intervals[0]);
  EXPECT_EQ(agreement.groups[1].questions, 2);
  EXPECT_TRUE(agreement.groups[1].intervals[0]);
  EXPECT_TRUE(agreement.groups.back().intervals[0]);
}

// Both say no on one of three questions: a resample without it, or of it alone, has no kappa, which
// are (2/3)³ + (1/3)³ = 1/3 of them.
TEST_F(Agreements, CountResamplesWithoutAFigure) {
  entries_[1].answer.question = "Who?";
  entries_[2].answer.question = "Where?";
  const std::vector<std::optional<Ratings>> ratings = {kAll, kNo, kAll};
  ChieAssessments assessments;
  for (const judge::LedgerEntry& entry : entries_) assessments.answers.push_back(&entry);
  const ChieAgreement agreement = agreement_of({"A", ratings}, {"B", ratings}, kJudgeStatistics,
                                               assessments.answers, {.resamples = 3000});
  EXPECT_EQ(agreement.groups[0].undefined[0], 0);
  EXPECT_NEAR(static_cast<double>(agreement.groups[0].undefined[1]), 1000,
              130);  // five standard deviations
  EXPECT_EQ(agreement.groups[0].values[1], 1);
  EXPECT_EQ(agreement.groups[0].counts.both, 2);
  EXPECT_EQ(agreement.groups[0].counts.neither, 1);
}

TEST_F(Agreements, TwoJudgesHaveAnswersInCommon) {
  expect_contains(input_error([&] {
                    evaluate({{kAll, kAll, kAll}, {kAll, {}, {}}, {{}, kAll, {}}});
                  }),
                  "B and C have no judged answer in common");
}

}  // namespace rubric::eval::agreement_test
