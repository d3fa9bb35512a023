// Judges and annotators side by side.
#include <gtest/gtest.h>

#include "eval/chie/chie.h"
#include "judge/ledger/example_entry.h"
#include "measured.h"
#include "messages.h"

namespace rubric::eval::assessments_test {

constexpr const char* kOther = "1. Disagree\n2. Agree\n3. Agree\n4. Agree";

HumanLabel label(const std::string& id, const std::string& annotator,
                 const judge::Verdicts& verdicts, const std::string& system = "llama",
                 const std::string& language = "") {
  return {system, language, id, annotator, verdicts, "F:" + id + annotator};
}

constexpr judge::Verdicts kAll = {true, true, true, true}, kNone = {},
                          kFirst = {true, false, false, false};

struct Assessments : testing::Test {
  static ChieEvaluation evaluate(const std::vector<judge::LedgerEntry>& entries) {
    return evaluate_chie(entries, "", "L");
  }
  ChieAssessments assess() { return assessments_of(evaluate(entries_), "gpt"); }
  ChieAssessments against(const std::vector<judge::LedgerEntry>& others) {
    ChieAssessments assessments = assess();
    add_judge(assessments, evaluate(others), "other", "B.jsonl");
    return assessments;
  }
  ChieAssessments with_humans(const std::vector<HumanLabel>& labels,
                              const std::vector<std::string>& annotators = {}) {
    ChieAssessments assessments = assess();
    add_humans(assessments, labels, annotators);
    return assessments;
  }

  std::vector<judge::LedgerEntry> entries_ = {example_entry("llama", "1"),
                                              example_entry("sea-lion", "1"),
                                              example_entry("llama", "2", "Well.")};
};

// The systems' answers stand one after another: llama's 1 and 2, sea-lion's 1.
TEST_F(Assessments, AreByAnswer) {
  const ChieAssessments assessments = assess();
  ASSERT_EQ(assessments.answers.size(), 3u);
  EXPECT_EQ(assessments.answers[2]->answer.source, "sea-lion");
  ASSERT_EQ(assessments.judges.size(), 1u);
  EXPECT_EQ(assessments.judges[0].ratings[0], (Ratings{true, false, false, true}));
  EXPECT_EQ(assessments.judges[0].ratings[1], Ratings());  // judged, without a verdict
  EXPECT_FALSE(assessments.majority);
}

TEST_F(Assessments, AnotherJudgeIsMatchedByAnswer) {
  const ChieAssessments assessments =
      against({example_entry("sea-lion", "1", kOther), example_entry("llama", "3"),
               example_entry("llama", "1", kOther)});
  ASSERT_EQ(assessments.judges.size(), 2u);
  const Rater& other = assessments.judges[1];
  EXPECT_EQ(other.name, "other");
  EXPECT_EQ(other.others, 1);
  EXPECT_EQ(other.ratings[0], (Ratings{false, true, true, true}));
  EXPECT_EQ(other.ratings[1], std::nullopt);
  EXPECT_EQ(other.ratings[2], (Ratings{false, true, true, true}));
}

TEST_F(Assessments, AnotherJudgeIsOfTheSameAnswers) {
  judge::LedgerEntry changed = example_entry("llama", "1");
  changed.answer.candidate = "309";
  expect_contains(input_error([&] { against({changed}); }),
                  "id \"1\" of llama is another answer than in the first ledger");
  changed = example_entry("llama", "1");
  changed.answer.question = "Who?";
  expect_contains(input_error([&] { against({changed}); }), "is another question than");
  changed = example_entry("llama", "1");
  changed.passage_hash = sha256("They gave up 309 points.");
  expect_contains(input_error([&] { against({changed}); }), "is another passage than");
  judge::LedgerEntry thai = example_entry("llama", "1");
  thai.language = "th";
  for (const judge::LedgerEntry& foreign : {thai, example_entry("another", "1")}) {
    expect_contains(input_error([&] { against({foreign}); }),
                    "the ledger has no judgement of the first ledger's answers");
  }
}

TEST_F(Assessments, TheMajorityIsByAspect) {
  const ChieAssessments assessments =
      with_humans({label("1", "a", kAll), label("1", "b", kFirst), label("1", "c", kNone),
                   label("2", "a", kAll), label("2", "c", kFirst), label("9", "a", kAll),
                   label("1", "a", kAll, "another"), label("2", "b", kAll, "llama", "th")});
  const HumanMajority& majority = assessments.majority.value();
  EXPECT_EQ(majority.annotators, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(majority.rater.name, "majority of humans a, b, c");
  EXPECT_EQ(majority.rater.ratings[0], (Ratings{true, false, false, false}));
  // Two of three labelled it, and differ on all but the first aspect.
  EXPECT_EQ(majority.rater.ratings[1], (Ratings{true, {}, {}, {}}));
  EXPECT_EQ(majority.rater.ratings[2], std::nullopt);
  EXPECT_EQ(majority.incomplete, 1);
  EXPECT_EQ(majority.ties, 3);
  EXPECT_EQ(majority.rater.others, 3);
  EXPECT_TRUE(assessments.humans.empty());
  const std::vector<Measurement> counts = majority_counts(assessments);
  const auto of_aspects = [&](const std::string& statistic, const std::string& system) {
    std::vector<double> values;
    for (const std::string metric : {"C", "H", "I", "E"}) {
      const Keys keys{.metric = metric, .system = system, .source = kMajority};
      values.push_back(*measurement_of(counts, statistic, keys).value);
    }
    return values;
  };
  EXPECT_EQ(counts[0].n, 2);
  EXPECT_EQ(of_aspects("count", "llama"), (std::vector<double>{2, 0, 0, 0}));
  EXPECT_EQ(of_aspects("ties", "llama"), (std::vector<double>{0, 1, 1, 1}));
  EXPECT_EQ(of_aspects("ties", "sea-lion"), (std::vector<double>(4)));
}

TEST_F(Assessments, OtherAnnotatorsAreAssessors) {
  const ChieAssessments assessments =
      with_humans({label("1", "4", kFirst), label("1", "2", kAll),
                   label("1", "1", kNone, "sea-lion"), label("2", "4", kAll, "llama", "en")},
                  {"1", "2"});
  EXPECT_EQ(assessments.majority->rater.ratings[0], (Ratings{true, true, true, true}));
  EXPECT_EQ(assessments.majority->rater.ratings[2], (Ratings{false, false, false, false}));
  EXPECT_EQ(assessments.majority->incomplete, 2);
  ASSERT_EQ(assessments.humans.size(), 1u);
  EXPECT_EQ(assessments.humans[0].name, "human 4");
  EXPECT_EQ(assessments.humans[0].ratings[1], (Ratings{true, true, true, true}));
}

// Whatever the order of the file.
TEST_F(Assessments, AnnotatorsAreInTheOrderOfTheirNames) {
  const ChieAssessments all = with_humans({label("1", "b", kAll), label("1", "a", kAll)});
  EXPECT_EQ(all.majority->annotators, (std::vector<std::string>{"a", "b"}));
  const ChieAssessments two =
      with_humans({label("1", "5", kAll), label("1", "1", kAll), label("1", "4", kAll)}, {"1"});
  ASSERT_EQ(two.humans.size(), 2u);
  EXPECT_EQ(two.humans[0].name, "human 4");
  EXPECT_EQ(two.humans[1].name, "human 5");
}

TEST_F(Assessments, ThereAreAHundredAnnotatorsAtMost) {
  std::vector<HumanLabel> labels;
  for (int i = 0; i < 100; ++i) labels.push_back(label("1", std::to_string(i), kAll));
  EXPECT_EQ(with_humans(labels).majority->annotators.size(), 100u);
  labels.push_back(label("1", "100", kAll));
  expect_contains(input_error([&] { with_humans(labels); }), "more than 100 annotators");
}

TEST_F(Assessments, AnAssessorsNameIsItsOwn) {
  ChieAssessments assessments = assessments_of(evaluate(entries_), "human 4");
  const std::vector<HumanLabel> labels = {label("1", "4", kAll), label("1", "5", kAll)};
  expect_contains(input_error([&] { add_humans(assessments, labels, {"5"}); }),
                  "a judge and an annotator are both called human 4");
  assessments = assessments_of(evaluate(entries_), "majority");
  expect_contains(input_error([&] { add_humans(assessments, labels, {"5"}); }),
                  "a judge is called majority");
}

TEST_F(Assessments, LabelsThatCannotBeUsedAreRefused) {
  expect_contains(input_error([&] { with_humans({label("1", "anna", kAll)}, {"ana"}); }),
                  "there is no annotator called \"ana\"");
  // Also where one of the rows does not name the language.
  const std::string twice = input_error([&] {
    with_humans({label("1", "a", kAll), label("1", "a", kAll, "llama", "en")});
  });
  expect_says(twice, {"\"a\" labels id \"1\" of llama twice", "F:1a and F:1a"});
  expect_contains(input_error([&] { with_humans({label("9", "a", kAll)}); }),
                  "no answer of the ledger is labelled by a");
  expect_contains(input_error([&] { with_humans({label("1", "a", kAll, "llama", "EN")}); }),
                  "name system, language (en) and id as the ledger does");
  expect_contains(input_error([&] {
                    with_humans({label("9", "a", kAll), label("1", "b", kAll)}, {"a"});
                  }),
                  "no answer of the ledger is labelled by a");
}

}  // namespace rubric::eval::assessments_test
