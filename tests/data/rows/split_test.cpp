#include "data/rows/split.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data::split_test {

constexpr int64_t kQuestions = 2000;

const std::vector<Share> kShares = {{"train", 0.7}, {"dev", 0.1}, {"test", 0.2}};

SplitOptions options_of(const std::vector<Share>& shares = kShares, uint64_t seed = 0) {
  SplitOptions options;
  options.shares = shares;
  options.seed = seed;
  return options;
}

// Two answers to each of the questions.
std::vector<Answer> answers_to(int64_t questions) {
  std::vector<Answer> answers;
  for (const char* system : {"a", "b"}) {
    for (int64_t i = 0; i < questions; ++i) {
      Answer answer;
      answer.constituent = system;
      answer.id = std::to_string(i);
      answer.question = "question " + std::to_string(i);
      answer.passage = "passage " + std::to_string(i % 3);
      answers.push_back(answer);
    }
  }
  return answers;
}

std::set<std::string> questions_of(const std::vector<Answer>& answers, const Part& part) {
  std::set<std::string> questions;
  for (const size_t row : part.rows) questions.insert(answers[row].question);
  return questions;
}

TEST(Split, EveryRowIsInOnePartWithAllOfItsQuestion) {
  const std::vector<Answer> answers = answers_to(kQuestions);
  const std::vector<Part> parts = split_answers(answers, options_of(), "");
  ASSERT_EQ(parts.size(), 3u);
  std::set<size_t> rows;
  std::set<std::string> questions;
  for (size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].name, kShares[i].name);
    EXPECT_TRUE(std::ranges::is_sorted(parts[i].rows));
    const auto own = questions_of(answers, parts[i]);
    EXPECT_EQ(parts[i].texts, std::ssize(own));
    EXPECT_EQ(parts[i].rows.size(), 2 * own.size());
    // Four standard deviations of a binomial.
    const double expected = kShares[i].share * kQuestions;
    EXPECT_NEAR(static_cast<double>(own.size()), expected,
                4 * std::sqrt(expected * (1 - kShares[i].share)));
    rows.insert(parts[i].rows.begin(), parts[i].rows.end());
    questions.insert(own.begin(), own.end());
  }
  EXPECT_EQ(rows.size(), answers.size());
  EXPECT_EQ(std::ssize(questions), kQuestions);
}

TEST(Split, AQuestionStaysWhereItIsWhateverElseThereIs) {
  const std::vector<Answer> few = answers_to(500), many = answers_to(kQuestions);
  const auto few_parts = split_answers(few, options_of(), "");
  const auto many_parts = split_answers(many, options_of(), "");
  for (size_t i = 0; i < few_parts.size(); ++i) {
    const auto inner = questions_of(few, few_parts[i]), outer = questions_of(many, many_parts[i]);
    EXPECT_TRUE(std::ranges::includes(outer, inner));
  }
  const auto other = split_answers(few, options_of(kShares, 1), "");
  EXPECT_NE(other[0].rows, few_parts[0].rows);
}

// Positions that a program in Python gave: SHA-256, SplitMix64 and 53 bits of the result. A change
// here moves questions of every split that exists.
TEST(Split, PositionsNeverChange) {
  std::vector<Answer> answers(3);
  answers[0].question = "who got the first nobel prize in physics";
  answers[1].question = "when is the next deadpool movie being released";
  answers[2].question = "which mode is used for short wave broadcast service";
  const std::vector<Share> shares = {{"a", 0.4800}, {"b", 0.3973}, {"c", 0.1227}};
  const auto parts = split_answers(answers, options_of(shares), "");
  EXPECT_EQ(parts[0].rows, std::vector<size_t>{0});
  EXPECT_EQ(parts[1].rows, std::vector<size_t>{2});
  EXPECT_EQ(parts[2].rows, std::vector<size_t>{1});
}

TEST(Split, ASampleHoldsEverySmallerOne) {
  const std::vector<Answer> answers = answers_to(kQuestions);
  const auto sampled = [&](int64_t size) {
    SplitOptions options = options_of();
    options.sample["train"] = size;
    const auto parts = split_answers(answers, options, "");
    EXPECT_EQ(parts[1].rows, split_answers(answers, options_of(), "")[1].rows);
    return parts[0];
  };
  const auto all = split_answers(answers, options_of(), "")[0];
  EXPECT_EQ(sampled(10).rows.size(), 20u);
  EXPECT_EQ(sampled(10).texts, 10);
  EXPECT_EQ(sampled(kQuestions).rows, all.rows);
  const auto inner = sampled(10), outer = sampled(40);
  EXPECT_TRUE(std::ranges::includes(outer.rows, inner.rows));
  EXPECT_TRUE(std::ranges::includes(all.rows, outer.rows));
}

TEST(Split, MayKeepPassagesTogether) {
  const std::vector<Answer> answers = answers_to(30);
  const std::vector<Share> halves = {{"a", 0.5}, {"b", 0.5}};
  SplitOptions options = options_of(halves, 0);
  options.by = "passage";
  int64_t texts = 0;
  for (const Part& part : split_answers(answers, options, "")) {
    std::set<std::string> passages;
    for (const size_t row : part.rows) passages.insert(answers[row].passage);
    EXPECT_EQ(part.rows.size(), 20 * passages.size());
    texts += part.texts;
  }
  EXPECT_EQ(texts, 3);
}

TEST(Split, RefusesRowsWithoutTheTextAndEmptyParts) {
  std::vector<Answer> answers = answers_to(1);
  expect_contains(input_error([&] { split_answers(answers, options_of(), "rows.csv"); }),
                  "there are 1 distinct questions");
  answers[1].question = "";
  EXPECT_EQ(input_error([&] { split_answers(answers, options_of(), "rows.csv"); }),
            error_lines("the row has no question to split by", "rows.csv: record b/0",
                        "name its field with --field question=…, or split --by passage"));
}

}  // namespace rubric::data::split_test
