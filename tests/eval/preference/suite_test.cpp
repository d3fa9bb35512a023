// Which of two answers a judge prefers, and whether the order matters.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "eval/preference/preference.h"
#include "judge/ledger/example_entry.h"
#include "measured.h"
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
  Result evaluate(int64_t resamples = 100) const {
    return evaluate_preferences(entries_, "", {.resamples = resamples, .seed = 1}, "L");
  }

  std::vector<judge::LedgerEntry> entries_;
};

using Names = std::array<const char*, 3>;
constexpr Names kPreferred = {"a", "b", "tie"}, kShown = {"first", "second", "tie"};

const Measurement& of(const Result& result, const std::string& statistic, const Keys& keys) {
  return measurement_of(result.measurements, statistic, keys);
}

// How often each was preferred, or shown; of a case, or "" of all.
Counts3 counts_of(const Result& result, const std::string& metric,
                  const std::string& name = "C vs CH") {
  const Names& names = metric == "preference" ? kPreferred : kShown;
  Counts3 counts{};
  for (size_t i = 0; i < names.size(); ++i) {
    counts[i] = static_cast<int64_t>(
        *of(result, "count", {.metric = metric, .system = name, .subset = names[i]}).value);
  }
  return counts;
}

const Measurement& share_of(const Result& result, const std::string& metric,
                            const std::string& subset, const std::string& name = "C vs CH") {
  return of(result, "share", {.metric = metric, .system = name, .subset = subset});
}

const Measurement& difference_of(const Result& result, const std::string& name = "C vs CH") {
  return of(result, "difference", {.metric = "position", .system = name});
}

double number_of(const Result& result, const std::string& statistic,
                 const std::string& name = "C vs CH") {
  return *of(result, statistic, {.system = name}).value;
}

bool has_position(const Result& result) {
  return std::ranges::count(result.measurements, "difference", &Measurement::statistic) > 0;
}

void expect_interval(const Measurement& one, double low, double high) {
  ASSERT_TRUE(one.interval.has_value());
  EXPECT_NEAR(one.interval->low, low, 1e-9);
  EXPECT_NEAR(one.interval->high, high, 1e-9);
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
  const Result result = evaluate();
  EXPECT_EQ(counts_of(result, "preference"), (Counts3{2, 1, 8}));
  EXPECT_EQ(share_of(result, "preference", "a").n, 11);
  EXPECT_DOUBLE_EQ(share_of(result, "preference", "a").value.value(), 2.0 / 11);
  EXPECT_DOUBLE_EQ(share_of(result, "preference", "tie").value.value(), 8.0 / 11);
  EXPECT_EQ(number_of(result, "invalid"), 0);
  EXPECT_EQ(number_of(result, "incomplete"), 0);
  // Of 22 replies: A in rows 1 (twice), 2, 3, 4, 7, 10 (twice), 11; B in 2, 4, 5 (twice), 6, 8, 11.
  for (const std::string name : {"C vs CH", ""}) {
    EXPECT_EQ(counts_of(result, "position", name), (Counts3{9, 7, 6}));
    EXPECT_DOUBLE_EQ(share_of(result, "position", "first", name).value.value(), 9.0 / 22);
    EXPECT_DOUBLE_EQ(difference_of(result, name).value.value(), 2.0 / 22);
    const auto times = [&](const char* subset, const char* statistic) {
      return of(result, statistic, {.metric = "position", .system = name, .subset = subset}).value;
    };
    EXPECT_EQ(times("first", "twice"), 2);
    EXPECT_EQ(times("second", "twice"), 1);
    EXPECT_EQ(times("tie", "once"), 4);
  }
}

TEST_F(Preferences, OfPairsAskedInOneOrderCountAsTheyAre) {
  for (const char* reply : {"A", "B", "B", "Tie", "Both"}) add(reply, "");
  const Result result = evaluate();
  EXPECT_EQ(counts_of(result, "preference"), (Counts3{1, 2, 1}));
  EXPECT_DOUBLE_EQ(share_of(result, "preference", "b").value.value(), 0.5);
  EXPECT_EQ(number_of(result, "invalid"), 1);
  EXPECT_EQ(number_of(result, "incomplete"), 0);
  EXPECT_FALSE(has_position(result));
}

// One swapped order in the ledger, and all pairs need theirs. A pair that lacks one is incomplete,
// whatever the reply to the other.
TEST_F(Preferences, IncompleteAndInvalidPairsDoNotCount) {
  add("A", "B");
  add("A", "Both");
  add("", "A");
  add("A", "", "C vs CI");
  add("Both", "", "C vs CI");
  const Result result = evaluate();
  EXPECT_EQ(counts_of(result, "preference"), (Counts3{1, 0, 0}));
  EXPECT_EQ(number_of(result, "invalid"), 1);
  EXPECT_EQ(number_of(result, "incomplete"), 1);
  EXPECT_EQ(counts_of(result, "position"), (Counts3{1, 1, 0}));
  const std::string second = "C vs CI";
  EXPECT_EQ(counts_of(result, "preference", second), (Counts3{0, 0, 0}));
  EXPECT_EQ(number_of(result, "invalid", second), 0);
  EXPECT_EQ(number_of(result, "incomplete", second), 2);
  EXPECT_FALSE(share_of(result, "preference", "a", second).value);
  EXPECT_FALSE(share_of(result, "preference", "a", second).interval);
  EXPECT_FALSE(difference_of(result, second).value);
  EXPECT_EQ(counts_of(result, "position", ""), (Counts3{1, 1, 0}));
}

TEST_F(Preferences, TheLastAttemptOfEachOrderCounts) {
  add("Both", "A");
  entries_.push_back(example_pair("C vs CH", "0", judge::AnswerOrder::ab, "B"));
  entries_.back().attempt = 2;
  const Result result = evaluate();
  EXPECT_EQ(counts_of(result, "preference"), (Counts3{0, 1, 0}));
  EXPECT_EQ(number_of(result, "invalid"), 0);
}

// 6 of 20 pairs prefer A: the 2.5th and 97.5th percentiles of the binomial distribution of 20
// draws with 0.3 are 2 (P(X <= 1) = 0.008, P(X <= 2) = 0.035) and 10 (P(X <= 9) = 0.952,
// P(X <= 10) = 0.983). The same pairs make the difference between the positions, 6 of 20.
TEST_F(Preferences, IntervalsAreBootstrappedOverPairs) {
  for (int i = 0; i < 20; ++i) ask_about(std::to_string(i), i < 6 ? "A" : "B", "", "C vs CH");
  const Result one_order = evaluate(10'000);
  expect_interval(share_of(one_order, "preference", "a"), 0.1, 0.5);
  expect_interval(share_of(one_order, "preference", "b"), 0.5, 0.9);
  expect_interval(share_of(one_order, "preference", "tie"), 0, 0);
  entries_.clear();
  for (int i = 0; i < 20; ++i) ask_about(std::to_string(i), "A", i < 6 ? "A" : "B", "C vs CH");
  const Result both = evaluate(10'000);
  EXPECT_DOUBLE_EQ(difference_of(both).value.value(), 0.3);
  expect_interval(difference_of(both), 0.1, 0.5);
  expect_interval(share_of(both, "position", "first"), 0.55, 0.75);  // half of that above 0.5
}

// Two cases about the same 20 questions are no 40 draws, which would give 7 and 18 of 40 (17.5% and
// 45%).
TEST_F(Preferences, PairsOfOneQuestionAreDrawnTogether) {
  for (const char* name : {"C vs CH", "C vs CI"}) {
    for (int i = 0; i < 20; ++i) ask_about(std::to_string(i), "A", i < 6 ? "A" : "B", name);
  }
  const Result result = evaluate(10'000);
  EXPECT_EQ(share_of(result, "position", "first", "").n, 80);
  EXPECT_EQ(of(result, "twice", {.metric = "position", .subset = "first"}).value, 12);
  EXPECT_DOUBLE_EQ(difference_of(result, "").value.value(), 0.3);
  expect_interval(difference_of(result, ""), 0.1, 0.5);
}

TEST_F(Preferences, OneQuestionHasNoInterval) {
  ask_about("Why?", "A", "B", "C vs CH");
  const Result one = evaluate();
  EXPECT_EQ(share_of(one, "preference", "a").value, 1);
  EXPECT_FALSE(share_of(one, "preference", "a").interval);
  ask_about("How?", "A", "B", "C vs CH");
  const Result two = evaluate();
  EXPECT_TRUE(share_of(two, "preference", "a").interval);
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
