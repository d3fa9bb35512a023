#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "train/settings/choice_data.h"

namespace rubric::train::choice_pairs_test {

using Pairs = std::vector<std::pair<int64_t, int64_t>>;  // of answers, by number

// Those of a question's pairs that are not an answer with itself.
Pairs proper_pairs(const std::vector<ChoicePair>& pairs, int64_t question) {
  Pairs proper;
  for (const ChoicePair& pair : pairs) {
    if (pair.question == question && pair.first != pair.second) {
      proper.emplace_back(pair.first, pair.second);
    }
  }
  return proper;
}

const data::ChoiceQuestion kTwoOfFour = {"id", "multirc/dev.json",      "p",
                                         "q",  {"right", "also right"}, {"wrong", "also wrong"}};

TEST(ChoicePairs, EveryTwoCorrectAndEveryCorrectWithEveryIncorrectAnswer) {
  const data::ChoiceQuestion one_of_three = {"", "", "", "", {"a"}, {"x", "y"}};
  const data::ChoiceQuestion three_of_three = {"", "", "", "", {"a", "b", "c"}, {}};
  const data::ChoiceQuestion none_of_two = {"", "", "", "", {}, {"x", "y"}};
  const std::vector<data::ChoiceQuestion> questions = {kTwoOfFour, one_of_three, three_of_three,
                                                       none_of_two};
  const std::vector<ChoicePair> pairs = choice_pairs(questions, 1);
  EXPECT_EQ(proper_pairs(pairs, 0), (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
  EXPECT_EQ(proper_pairs(pairs, 1), (Pairs{{0, 1}, {0, 2}}));
  EXPECT_EQ(proper_pairs(pairs, 2), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(proper_pairs(pairs, 3), Pairs());
}

// Drawn with a program of its own (SplitMix64's finaliser in Python, purpose 7).
TEST(ChoicePairs, ACorrectAnswerWithItselfAFifthOfTheTime) {
  const std::vector<data::ChoiceQuestion> questions(12, kTwoOfFour);
  using Drawn = std::set<std::pair<int64_t, int64_t>>;  // question, answer
  const std::pair<uint64_t, Drawn> kExpected[] = {
      {1, {{3, 0}, {5, 1}, {8, 1}, {11, 0}}},
      {7, {{0, 1}, {1, 0}, {2, 1}, {3, 0}, {6, 0}, {8, 0}, {9, 1}, {10, 1}, {11, 0}, {11, 1}}}};
  for (const auto& [seed, expected] : kExpected) {
    Drawn drawn;
    for (const ChoicePair& pair : choice_pairs(questions, seed)) {
      if (pair.first == pair.second) drawn.emplace(pair.question, pair.first);
    }
    EXPECT_EQ(drawn, expected) << seed;
  }
  const std::vector<data::ChoiceQuestion> many(10'000, {"", "", "", "", {"a"}, {}});
  EXPECT_NEAR(static_cast<double>(choice_pairs(many, 3).size()), 2000, 4 * 40);  // four sigma
}

// Drawn with the same program, purpose 8.
TEST(ChoicePairs, TheOrderIsDrawnAnewForEveryUpdate) {
  const std::vector<std::vector<bool>> kExpected = {
      {0, 1, 0, 0, 1, 0, 1, 0}, {0, 1, 1, 1, 0, 1, 1, 1}, {0, 0, 0, 1, 0, 0, 0, 1}};
  for (int64_t update = 0; update < 3; ++update) {
    std::vector<bool> swapped;
    for (int64_t place = 0; place < 8; ++place) {
      swapped.push_back(is_swapped(kTwoOfFour, {0, 0, 2}, 1, update, place));
      EXPECT_FALSE(is_swapped(kTwoOfFour, {0, 0, 1}, 1, update, place));
    }
    EXPECT_EQ(swapped, kExpected[static_cast<size_t>(update)]) << update;
  }
}

TEST(ChoicePairs, TheLabelGoesWithTheOrder) {
  const std::tuple<ChoicePair, bool, ChoiceLabel, std::string, std::string> kCases[] = {
      {{0, 0, 2}, false, ChoiceLabel::first, "right", "wrong"},
      {{0, 0, 2}, true, ChoiceLabel::second, "wrong", "right"},
      {{0, 1, 3}, false, ChoiceLabel::first, "also right", "also wrong"},
      {{0, 0, 1}, false, ChoiceLabel::both, "right", "also right"},
      {{0, 1, 1}, false, ChoiceLabel::both, "also right", "also right"}};
  for (const auto& [pair, swapped, label, first, second] : kCases) {
    EXPECT_EQ(label_of(kTwoOfFour, pair, swapped), label);
    const data::Answer row = as_answer(kTwoOfFour, pair, swapped);
    EXPECT_EQ(row.references, std::vector<std::string>{first});
    EXPECT_EQ(row.candidate, second);
    EXPECT_EQ(row.passage + row.question + row.constituent + row.id, "pqmultirc/dev.jsonid");
  }
}

}  // namespace rubric::train::choice_pairs_test
