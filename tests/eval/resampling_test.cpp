#include "eval/resampling.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::eval::resampling_test {

using Numbers = std::vector<uint32_t>;

data::ScoredRows rows_of(const std::vector<const char*>& objects) {
  data::ScoredRows rows;
  for (const char* object : objects) {
    rows.rows.push_back(Json::parse(object, "row"));
    const Json* const id = rows.rows.back().find("id");
    rows.ids.push_back(id != nullptr ? id->string() : std::to_string(rows.rows.size()));
  }
  return rows;
}

// The question of each row, numbered in the order of their first rows.
Numbers questions_of(const data::ScoredRows& rows) {
  Numbers numbers;
  std::map<uint32_t, uint32_t> of_clusters;
  for (const uint32_t cluster : RowQuestions(rows).clusters().of) {
    const auto next = static_cast<uint32_t>(of_clusters.size());
    numbers.push_back(of_clusters.emplace(cluster, next).first->second);
  }
  return numbers;
}

TEST(AnswerQuestions, AreNumberedInTheOrderOfTheirFirstAnswers) {
  AnswerQuestions questions;
  const auto number = [&](const std::string& passage, const std::string& question) {
    data::Answer answer;
    answer.passage = passage;
    answer.question = question;
    return questions.number(answer);
  };
  const std::string text(100, 'x');
  EXPECT_EQ(number("p", "q"), 0U);
  EXPECT_EQ(number("q", "p"), 1U);
  EXPECT_EQ(number("", "pq"), 2U);
  EXPECT_EQ(number("p", ""), 3U);  // without a question: its own
  EXPECT_EQ(number("p", ""), 4U);
  EXPECT_EQ(number(text, "q"), 5U);
  EXPECT_EQ(number(text + "y", "q"), 6U);
  EXPECT_EQ(number("p", std::string("q\0", 2)), 7U);
  EXPECT_EQ(number("p", "q"), 0U);
  EXPECT_EQ(number(text, "q"), 5U);
  EXPECT_EQ(number("z", "q"), 8U);
}

TEST(FewQuestions, AreNotedWhereABootstrapHasAnInterval) {
  const auto note = [](const std::vector<CountedQuestions>& parts) {
    return few_questions_note(parts);
  };
  EXPECT_EQ(note({{"", 12}}),
            "few questions (12): a bootstrap interval of fewer than 30 is too narrow");
  expect_contains(note({{"all rows", 40}, {"nq", 29}, {"tq", 30}, {"one", 1}, {"two", 2}}),
                  "(nq: 29, two: 2)");
  EXPECT_EQ(note({{"all rows", 30}}), "");
  EXPECT_EQ(note({}), "");
}

TEST(Questions, AreOfOnePassageAndQuestion) {
  const Numbers questions = questions_of(rows_of({
      R"({"id": "1", "passage": "p", "question": "who?"})",
      R"({"id": "2", "passage": "p", "question": "why?"})",
      R"({"id": "3", "passage": "q", "question": "who?"})",
      R"({"id": "4", "question": "who?"})",
      R"({"id": "5", "passage": "p", "question": "who?", "constituent": "drop"})",
      R"({"id": "6", "context": "p", "question": "who?"})",
      R"({"id": "7", "context": "p", "question": "who?"})",
  }));
  EXPECT_EQ(questions, (Numbers{0, 1, 2, 3, 0, 0, 0}));
}

// `score` and `agreement` have one rule: a mean has one interval.
TEST(Questions, WithoutThemRecordsStandForThem) {
  const std::vector<const char*> objects = {
      R"({"id": "1", "passage": "p"})",     R"({"id": "1", "passage": "p", "question": ""})",
      R"({"id": "2", "question": null})",   R"({"id": "1", "constituent": "drop"})",
      R"({"id": "1", "question": "who?"})", R"({"id": "2"})",
  };
  const data::ScoredRows rows = rows_of(objects);
  EXPECT_EQ(questions_of(rows), (Numbers{0, 0, 1, 2, 3, 1}));
  AnswerQuestions numbers;
  Numbers of_answers;
  for (const Json& row : rows.rows) {
    const auto text = [&](const char* field) {
      const Json* const value = row.find(field);
      return value != nullptr && value->is_string() ? value->string() : std::string();
    };
    data::Answer answer;
    answer.id = text("id");
    answer.constituent = text("constituent");
    answer.question = text("question");
    answer.passage = text("passage");
    of_answers.push_back(numbers.number(answer));
  }
  EXPECT_EQ(of_answers, questions_of(rows));
}

// Resamples, folds and permutations are drawn by the numbers of clusters.
TEST(Questions, AreNumberedAlikeInAnyOrderOfTheRows) {
  std::vector<const char*> objects = {
      R"({"id": "1", "question": "who?", "passage": "p"})",
      R"({"id": "2", "question": "who?"})",
      R"({"id": "3"})",
      R"({"candidate": "a", "reference": "b"})",
      R"({"candidate": "a", "reference": ["b", "c"]})",
      R"({"id": "4", "question": "who?", "passage": "p"})",
  };
  const Numbers forwards = RowQuestions(rows_of(objects)).clusters().of;
  EXPECT_EQ(forwards.front(), forwards.back());
  std::ranges::reverse(objects);
  Numbers backwards = RowQuestions(rows_of(objects)).clusters().of;
  std::ranges::reverse(backwards);
  EXPECT_EQ(forwards, backwards);
}

TEST(Questions, RowsWithoutIdThatAreAlikeAreQuestionsOfTheirOwn) {
  const data::ScoredRows rows = rows_of({R"({"candidate": "a"})", R"({"candidate": "a"})"});
  EXPECT_EQ(RowQuestions(rows).clusters().count, 2U);
}

TEST(Questions, WithoutThemIdsSayWhatSystemsShare) {
  data::ScoredRows rows = rows_of({R"({"id": "1"})", R"({"id": "2"})", R"({"id": "1"})"});
  rows.systems = {"a", "a", "b"};
  EXPECT_EQ(questions_of(rows), (Numbers{0, 1, 0}));
}

TEST(SeedAndInstanceInterval, OfOneFigureIsNone) {
  EXPECT_FALSE(seed_and_instance_interval({{{0.5, {}}}}));
}

TEST(SeedAndInstanceInterval, WithoutSeedsIsTheOneOverInstances) {
  std::vector<double> resampled;
  for (int i = 0; i <= 1000; ++i) resampled.push_back(i / 1000.0);
  const auto interval = seed_and_instance_interval({{{0.5, resampled}}});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 0.025, 1e-12);
  EXPECT_NEAR(interval->high, 0.975, 1e-12);
}

// Three seeds, no instances: each resample is a mean of three draws, and all three are the same
// seed's in 1/27 of them, which is more than 2.5%.
TEST(SeedAndInstanceInterval, OverSeedsReachesTheirEnds) {
  const auto interval = seed_and_instance_interval({{{0, {}}, {3, {}}, {6, {}}}});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 6);
}

TEST(SeedAndInstanceMeans, AreOfTheSeedThatDraws) {
  const std::vector<std::vector<RunValue>> figures = {{{0, {}}, {3, {}}, {6, {}}}};
  const auto means = [&](uint64_t seed) {
    return seed_and_instance_means(figures, {.resamples = 50, .seed = seed});
  };
  EXPECT_EQ(means(1).size(), 50u);
  EXPECT_EQ(means(1), means(1));
  EXPECT_NE(means(1), means(2));
}

// The mean over two groups whose instances move together or not at all.
TEST(SeedAndInstanceInterval, AveragesOverGroupsInEachResample) {
  std::vector<double> rising, falling;
  for (int i = 0; i < 1000; ++i) {
    rising.push_back(i);
    falling.push_back(-i);
  }
  const auto interval = seed_and_instance_interval({{{0, rising}}, {{0, falling}}});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 0);
}

// Four groups of one model: all three draws are the same seed's in 1/27 of the resamples as above.
// Drawn for each group, that would be in 1/27^4 of them.
TEST(SeedAndInstanceInterval, DrawsASeedWithAllItsFigures) {
  const std::vector<RunValue> seeds = {{0, {}}, {3, {}}, {6, {}}};
  const auto interval = seed_and_instance_interval({seeds, seeds, seeds, seeds});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 6);
}

TEST(SeedAndInstanceInterval, SkipsUndefinedResamples) {
  const double undefined = std::nan("");
  const auto interval = seed_and_instance_interval({{{1, {undefined, 2, 2, undefined}}}});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 2);
  EXPECT_EQ(interval->high, 2);
}

}  // namespace rubric::eval::resampling_test
