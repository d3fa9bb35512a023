#include "data/rows/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

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

// Of 40 questions a share of 8 may get 4 or 18 rows.
TEST(Split, SaysWhereFewQuestionsMissTheirShares) {
  const std::vector<Answer> answers = answers_to(40);
  std::vector<std::string> texts;
  for (const Answer& answer : answers) texts.push_back(answer.question);
  const std::vector<Share> shares = {{"train", 0.6}, {"dev", 0.2}, {"test", 0.2}};
  const auto sizes = [&](uint64_t seed) {
    std::vector<int64_t> rows;
    for (const Part& part : split_texts(texts, options_of(shares, seed), "")) {
      rows.push_back(std::ssize(part.rows));
    }
    return rows;
  };
  const auto note_of = [](const std::vector<std::string>& split, const SplitOptions& options) {
    return stderr_of([&] { split_texts(split, options, ""); });
  };
  int missed = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<int64_t> rows = sizes(seed);
    const std::string note = note_of(texts, options_of(shares, seed));
    const auto is_named = [&](size_t part, double wanted) {
      const bool is_far = std::abs(static_cast<double>(rows[part]) - wanted) > wanted / 3;
      EXPECT_EQ(holds(note, shares[part].name + " has " + std::to_string(rows[part]) +
                                " of 80 rows in place of " + std::to_string(std::lround(wanted))),
                is_far)
          << note;
      return is_far;
    };
    const std::array<bool, 3> named = {is_named(0, 48), is_named(1, 16), is_named(2, 16)};
    const bool is_any = named[0] || named[1] || named[2];
    EXPECT_EQ(note.empty(), !is_any);
    if (!is_any) continue;
    ++missed;
    const std::string option = "--seed ";
    const size_t at = note.find(option);
    ASSERT_NE(at, std::string::npos) << note;
    const auto better = static_cast<uint64_t>(std::stoul(note.substr(at + option.size())));
    const std::vector<int64_t> closer = sizes(better);
    expect_contains(note, " gives train " + std::to_string(closer[0]) + ", dev " +
                              std::to_string(closer[1]) + ", test " + std::to_string(closer[2]));
    EXPECT_EQ(note_of(texts, options_of(shares, better)), "");
  }
  EXPECT_GT(missed, 0);
  EXPECT_EQ(note_of(texts, options_of({{"all", 1}})), "");
  std::vector<std::string> many;
  for (int64_t i = 0; i < kQuestions; ++i) many.push_back(std::to_string(i));
  EXPECT_EQ(note_of(many, options_of()), "");
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
