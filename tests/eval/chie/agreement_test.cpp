// How far raters agree.
#include <gtest/gtest.h>

#include "core/json/json.h"
#include "eval/chie/chie.h"
#include "judge/ledger/example_entry.h"
#include "measured.h"
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
  void expect_figures(const AgreementKind& kind) const {
    const std::vector<Measurement> all =
        agreement_of(judge_, truth_, "truth", kind, answers_, {.resamples = 20'000, .seed = 2});
    EXPECT_EQ(measurement_of(all, "answers", kRaters).value, 123);
    EXPECT_EQ(measurement_of(all, "questions", kRaters).value, 60);
    for (size_t group = 0; group < kAspectGroups; ++group) {
      const Json& values = *json_.find("figures")->find(aspect_group(group));
      const Json& intervals = *json_.find("intervals")->find(aspect_group(group));
      for (const AgreementStatistic& figure : kind.statistics) {
        SCOPED_TRACE(std::string(aspect_group(group)) + " " + figure.key);
        Keys keys = kRaters;
        keys.metric = aspect_group(group);
        const Measurement& one = measurement_of(all, figure.key, keys);
        EXPECT_NEAR(one.value.value(), values.find(figure.key)->number(), 1e-11);
        // Two series of 20,000 resamples: five standard errors of a percentile or more. Intervals
        // over answers drawn one by one are narrower than that.
        const Json::Array& ends = intervals.find(figure.key)->array();
        constexpr double kTolerance = 0.012;
        EXPECT_NEAR(one.interval->low, ends[0].number(), kTolerance);
        EXPECT_NEAR(one.interval->high, ends[1].number(), kTolerance);
      }
    }
  }

  inline static const Keys kRaters = {.against = "truth", .source = "judge"};
  Json json_ = Json::parse_file(std::string(fixtures_folder()) + "/chie/agreement.json");
  std::vector<judge::LedgerEntry> entries_;
  std::vector<const judge::LedgerEntry*> answers_;
  Rater judge_{"judge", {}}, truth_{"truth", {}};
};

TEST_F(AgreementFixture, WithTheTruthEqualsScikitLearn) {
  expect_figures(kWithGold);
}

TEST_F(AgreementFixture, OfJudgesEqualsScikitLearn) {
  expect_figures(kOfJudges);
}

TEST_F(AgreementFixture, DependsOnTheSeedAlone) {
  const auto interval = [&](uint64_t seed) {
    const std::vector<Measurement> all = agreement_of(judge_, truth_, "truth", kOfJudges, answers_,
                                                      {.resamples = 500, .seed = seed});
    Keys keys = kRaters;
    keys.metric = "overall";
    return measurement_of(all, "kappa", keys).interval.value().low;
  };
  EXPECT_EQ(interval(1), interval(1));
  EXPECT_NE(interval(1), interval(2));
}

struct Agreements : testing::Test {
  std::vector<Measurement> evaluate(
      const std::vector<std::vector<std::optional<Ratings>>>& judges) {
    ChieAssessments assessments;
    for (const judge::LedgerEntry& entry : entries_) assessments.answers.push_back(&entry);
    for (const auto& ratings : judges) {
      assessments.judges.push_back(
          {std::string(1, static_cast<char>('A' + assessments.judges.size())), ratings});
    }
    const ChieAgreements agreements = evaluate_agreements(assessments, {.resamples = 10});
    EXPECT_TRUE(agreements.with_majority.empty());
    return agreements.of_judges;
  }
  // Of an aspect, "overall" or "" for all answers.
  static const Measurement& of(const std::vector<Measurement>& all, const std::string& statistic,
                               const std::string& aspect = "", const std::string& first = "A",
                               const std::string& second = "B") {
    return measurement_of(all, statistic, {.metric = aspect, .against = second, .source = first});
  }

  static constexpr Ratings kAll = {true, true, true, true}, kNo = {false, false, false, false};
  std::vector<judge::LedgerEntry> entries_ = {
      example_entry("llama", "1"), example_entry("llama", "2"), example_entry("sea-lion", "1")};
};

TEST_F(Agreements, AreOfEachPairOnWhatBothAssess) {
  const std::vector<Measurement> all =
      evaluate({{kAll, kNo, Ratings()}, {kAll, std::nullopt, kAll}, {kNo, kNo, kAll}});
  EXPECT_EQ(of(all, "answers").value, 2);
  EXPECT_EQ(of(all, "invalid").value, 1);
  EXPECT_EQ(of(all, "invalid_against").value, 0);
  EXPECT_EQ(of(all, "agreement", "C").n, 1);
  EXPECT_EQ(of(all, "agreement", "overall").n, 4);
  EXPECT_EQ(of(all, "agreement", "C").value, 1);
  EXPECT_FALSE(of(all, "kappa", "C").value);  // both say yes, always
  EXPECT_FALSE(of(all, "kappa", "C").interval);
  EXPECT_EQ(of(all, "answers", "", "A", "C").value, 3);
  EXPECT_EQ(of(all, "agreement", "C", "B", "C").value, 0.5);
}

// All answers are to the same question in a passage: one cluster, always drawn whole, which would
// make an interval of no width.
TEST_F(Agreements, ResampleQuestions) {
  const std::vector<std::vector<std::optional<Ratings>>> judges = {{kAll, kAll, kNo},
                                                                   {kAll, kNo, kNo}};
  const std::vector<Measurement> collectively = evaluate(judges);
  EXPECT_EQ(of(collectively, "questions").value, 1);
  EXPECT_TRUE(of(collectively, "agreement", "C").value);
  EXPECT_FALSE(of(collectively, "agreement", "C").interval);
  entries_[1].answer.question = "Who?";
  const std::vector<Measurement> apart = evaluate(judges);
  EXPECT_EQ(of(apart, "questions").value, 2);
  const auto interval = of(apart, "agreement", "C").interval.value();
  EXPECT_LT(interval.low, interval.high);
}

// Two questions, of which C is decided in one.
TEST_F(Agreements, HaveNoIntervalOnOneQuestion) {
  entries_[1].answer.question = "Who?";
  const Ratings without_c = {std::nullopt, true, false, false};
  const std::vector<Measurement> all = evaluate({{kAll, kAll, kNo}, {kAll, without_c, kNo}});
  EXPECT_EQ(of(all, "questions").value, 2);
  EXPECT_FALSE(of(all, "agreement", "C").interval);
  EXPECT_TRUE(of(all, "agreement", "H").interval);
  EXPECT_TRUE(of(all, "agreement", "overall").interval);
}

// Both say no on one of three questions: a resample without it, or of it alone, has no kappa, which
// are (2/3)³ + (1/3)³ = 1/3 of them.
TEST_F(Agreements, CountResamplesWithoutAFigure) {
  entries_[1].answer.question = "Who?";
  entries_[2].answer.question = "Where?";
  const std::vector<std::optional<Ratings>> ratings = {kAll, kNo, kAll};
  ChieAssessments assessments;
  for (const judge::LedgerEntry& entry : entries_) assessments.answers.push_back(&entry);
  const std::vector<Measurement> all = agreement_of({"A", ratings}, {"B", ratings}, "B", kOfJudges,
                                                    assessments.answers, {.resamples = 3000});
  EXPECT_EQ(of(all, "undefined_agreement", "C").value, 0);
  EXPECT_NEAR(of(all, "undefined_kappa", "C").value.value(), 1000,
              130);  // five standard deviations
  EXPECT_EQ(of(all, "kappa", "C").value, 1);
  EXPECT_EQ(of(all, "both", "C").value, 2);
  EXPECT_EQ(of(all, "neither", "C").value, 1);
}

TEST_F(Agreements, TwoJudgesHaveAnswersInCommon) {
  expect_contains(input_error([&] {
                    evaluate({{kAll, kAll, kAll}, {kAll, {}, {}}, {{}, kAll, {}}});
                  }),
                  "B and C have no judged answer in common");
}

}  // namespace rubric::eval::agreement_test
