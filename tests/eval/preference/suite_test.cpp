// Which of two answers a judge prefers, and whether the order matters.
#include <gtest/gtest.h>

#include "eval/preference/preference.h"
#include "judge/ledger/example_entry.h"
#include "messages.h"

namespace rubric::eval::preference_suite_test {

using Counts3 = std::array<int64_t, 3>;

// The entries of one case; the replies to A shown first and to B shown first, "" where not asked.
struct Preferences : testing::Test {
  void add(const std::string& ab, const std::string& ba, const std::string& name = "C vs CH") {
    const std::string id = std::to_string(entries_.size());
    if (!ab.empty()) entries_.push_back(example_pair(name, id, judge::AnswerOrder::ab, ab));
    if (!ba.empty()) entries_.push_back(example_pair(name, id, judge::AnswerOrder::ba, ba));
  }
  // Asks another question than the entries before.
  void ask_about(const std::string& question, const std::string& ab, const std::string& ba,
                 const std::string& name) {
    const size_t begin = entries_.size();
    add(ab, ba, name);
    for (size_t i = begin; i < entries_.size(); ++i) entries_[i].answer.question = question;
  }
  PreferenceEvaluation evaluate(int64_t resamples = 100) const {
    return evaluate_preferences(entries_, "", {.resamples = resamples, .seed = 1}, "L");
  }

  std::vector<judge::LedgerEntry> entries_;
};

void expect_interval(const std::optional<stats::Interval>& interval, double low, double high) {
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->low, low, 1e-9);
  EXPECT_NEAR(interval->high, high, 1e-9);
}

// Every pair of replies. Behind each: the preference, and what changed with the order. The reply A
// to the swapped order prefers B.
TEST_F(Preferences, OfPairsAskedInBothOrders) {
  add("A", "A");      // Tie, the first twice
  add("A", "B");      // A
  add("A", "Tie");    // Tie, a tie once
  add("B", "A");      // B
  add("B", "B");      // Tie, the second twice
  add("B", "Tie");    // Tie, a tie once
  add("Tie", "A");    // Tie, a tie once
  add("Tie", "B");    // Tie, a tie once
  add("Tie", "Tie");  // Tie
  add("A", "A");      // Tie, the first twice
  add("A", "B");      // A
  const PreferenceEvaluation evaluation = evaluate();
  ASSERT_EQ(evaluation.cases.size(), 1u);
  const PreferenceCase& one = evaluation.cases[0];
  EXPECT_EQ(one.name, "C vs CH");
  EXPECT_EQ(one.language, "en");
  EXPECT_EQ(one.preferred.counts, (Counts3{2, 1, 8}));
  EXPECT_EQ(one.preferred.n(), 11);
  EXPECT_DOUBLE_EQ(one.preferred.shares[0].value(), 2.0 / 11);
  EXPECT_DOUBLE_EQ(one.preferred.shares[2].value(), 8.0 / 11);
  EXPECT_EQ(one.invalid, 0);
  EXPECT_EQ(one.incomplete, 0);
  // Of 22 replies: A in rows 1 (twice), 2, 3, 4, 7, 10 (twice), 11; B in 2, 4, 5 (twice), 6, 8, 11.
  const PositionBias& position = one.position.value();
  EXPECT_EQ(position.shown.counts, (Counts3{9, 7, 6}));
  EXPECT_DOUBLE_EQ(position.shown.shares[0].value(), 9.0 / 22);
  EXPECT_DOUBLE_EQ(position.difference.value(), 2.0 / 22);
  EXPECT_EQ(position.first_twice, 2);
  EXPECT_EQ(position.second_twice, 1);
  EXPECT_EQ(position.tie_once, 4);
  EXPECT_EQ(evaluation.position->shown.counts, position.shown.counts);
}

TEST_F(Preferences, OfPairsAskedInOneOrderCountAsTheyAre) {
  for (const char* reply : {"A", "B", "B", "Tie", "Both"}) add(reply, "");
  const PreferenceEvaluation evaluation = evaluate();
  const PreferenceCase& one = evaluation.cases.at(0);
  EXPECT_EQ(one.preferred.counts, (Counts3{1, 2, 1}));
  EXPECT_DOUBLE_EQ(one.preferred.shares[1].value(), 0.5);
  EXPECT_EQ(one.invalid, 1);
  EXPECT_EQ(one.incomplete, 0);
  EXPECT_FALSE(one.position.has_value());
  EXPECT_FALSE(evaluation.position.has_value());
}

// One swapped order in the ledger, and all pairs need theirs. A pair that lacks one is incomplete,
// whatever the reply to the other.
TEST_F(Preferences, IncompleteAndInvalidPairsDoNotCount) {
  add("A", "B");
  add("A", "Both");
  add("", "A");
  add("A", "", "C vs CI");
  add("Both", "", "C vs CI");
  const PreferenceEvaluation evaluation = evaluate();
  ASSERT_EQ(evaluation.cases.size(), 2u);
  const PreferenceCase &first = evaluation.cases[0], &second = evaluation.cases[1];
  EXPECT_EQ(first.preferred.counts, (Counts3{1, 0, 0}));
  EXPECT_EQ(first.invalid, 1);
  EXPECT_EQ(first.incomplete, 1);
  EXPECT_EQ(first.position->shown.counts, (Counts3{1, 1, 0}));
  EXPECT_EQ(second.name, "C vs CI");
  EXPECT_EQ(second.preferred.n(), 0);
  EXPECT_EQ(second.invalid, 0);
  EXPECT_EQ(second.incomplete, 2);
  EXPECT_EQ(second.preferred.shares[0], std::nullopt);
  EXPECT_FALSE(second.preferred.intervals[0].has_value());
  EXPECT_EQ(second.position->difference, std::nullopt);
  EXPECT_EQ(evaluation.position->shown.counts, (Counts3{1, 1, 0}));
}

TEST_F(Preferences, TheLastAttemptOfEachOrderCounts) {
  add("Both", "A");
  entries_.push_back(example_pair("C vs CH", "0", judge::AnswerOrder::ab, "B"));
  entries_.back().attempt = 2;
  const PreferenceEvaluation evaluation = evaluate();
  EXPECT_EQ(evaluation.cases.at(0).preferred.counts, (Counts3{0, 1, 0}));
  EXPECT_EQ(evaluation.cases[0].invalid, 0);
}

// 6 of 20 pairs prefer A: the 2.5th and 97.5th percentiles of the binomial distribution of 20
// draws with 0.3 are 2 (P(X <= 1) = 0.008, P(X <= 2) = 0.035) and 10 (P(X <= 9) = 0.952,
// P(X <= 10) = 0.983). The same pairs make the difference between the positions, 6 of 20.
TEST_F(Preferences, IntervalsAreBootstrappedOverPairs) {
  for (int i = 0; i < 20; ++i) ask_about(std::to_string(i), i < 6 ? "A" : "B", "", "C vs CH");
  const PreferenceEvaluation one_order = evaluate(10'000);
  expect_interval(one_order.cases.at(0).preferred.intervals[0], 0.1, 0.5);
  expect_interval(one_order.cases[0].preferred.intervals[1], 0.5, 0.9);
  expect_interval(one_order.cases[0].preferred.intervals[2], 0, 0);
  entries_.clear();
  for (int i = 0; i < 20; ++i) ask_about(std::to_string(i), "A", i < 6 ? "A" : "B", "C vs CH");
  const PreferenceEvaluation both = evaluate(10'000);
  const PositionBias& position = both.cases.at(0).position.value();
  EXPECT_DOUBLE_EQ(position.difference.value(), 0.3);
  expect_interval(position.interval, 0.1, 0.5);
  expect_interval(position.shown.intervals[0], 0.55, 0.75);  // half of that above 0.5
  EXPECT_EQ(both.pairs, 20);
  EXPECT_EQ(both.questions, 20);
}

// Two cases about the same 20 questions are no 40 draws, which would give 7 and 18 of 40 (17.5% and
// 45%).
TEST_F(Preferences, PairsOfOneQuestionAreDrawnTogether) {
  for (const char* name : {"C vs CH", "C vs CI"}) {
    for (int i = 0; i < 20; ++i) ask_about(std::to_string(i), "A", i < 6 ? "A" : "B", name);
  }
  const PreferenceEvaluation evaluation = evaluate(10'000);
  EXPECT_EQ(evaluation.pairs, 40);
  EXPECT_EQ(evaluation.questions, 20);
  EXPECT_EQ(evaluation.position->shown.n(), 80);
  EXPECT_EQ(evaluation.position->first_twice, 12);
  EXPECT_DOUBLE_EQ(evaluation.position->difference.value(), 0.3);
  expect_interval(evaluation.position->interval, 0.1, 0.5);
}

TEST_F(Preferences, OneQuestionHasNoInterval) {
  ask_about("Why?", "A", "B", "C vs CH");
  EXPECT_EQ(evaluate().cases[0].preferred.shares[0], 1);
  EXPECT_FALSE(evaluate().cases[0].preferred.intervals[0]);
  ask_about("How?", "A", "B", "C vs CH");
  EXPECT_TRUE(evaluate().cases[0].preferred.intervals[0]);
}

TEST_F(Preferences, OfOtherThingsAreRefused) {
  add("A", "B");
  entries_[1].other = "another answer";
  expect_contains(input_error([&] { evaluate(); }),
                  "the two orders of id \"0\" of C vs CH have different texts");
  entries_[1].other = entries_[0].other;
  entries_[1].answer.question = "another question";
  expect_contains(input_error([&] { evaluate(); }), "have different texts");
  entries_ = {example_entry("llama", "1")};
  expect_contains(input_error([&] { evaluate(); }), "evaluate chie");
}

}  // namespace rubric::eval::preference_suite_test
