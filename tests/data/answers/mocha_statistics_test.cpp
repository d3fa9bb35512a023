#include "data/answers/mocha_statistics.h"

#include <gtest/gtest.h>

namespace rubric::data::mocha_statistics_test {

Answer answer(const std::string& constituent, const std::string& passage,
              const std::string& question, const std::string& reference,
              const std::string& candidate, const std::string& source,
              std::optional<double> score) {
  Answer result;
  result.constituent = constituent;
  result.passage = passage;
  result.question = question;
  result.references = {reference};
  result.candidate = candidate;
  result.source = source;
  result.score = score;
  return result;
}

// Two passages of 2 and 4 words; the first has three candidates over two questions.
const std::vector<Answer> kAnswers = {
    answer("drop", "One two", "Why?", "yes", "no", "x", 1),
    answer("drop", "One two", "Why?", "yes", "no, not", "y", 2.5),
    answer("quoref", "Elsewhere.", "Who?", "she", "he", "", std::nullopt),
    answer("drop", "One two", "Why?", "because", "maybe", "x", 5),
    answer("drop", "Three, four five", "Where?", "here", "there", "x", 4.4),
};

TEST(MochaStatistics, CountsWhatIsUnique) {
  const auto statistics = mocha_statistics(kAnswers);
  ASSERT_EQ(statistics.size(), 2u);
  EXPECT_EQ(statistics[0].name, "drop");
  EXPECT_EQ(statistics[0].passages, 2);
  EXPECT_EQ(statistics[0].questions, 3);
  EXPECT_EQ(statistics[0].candidates, 4);
  EXPECT_EQ(statistics[0].unscored, 0);
  EXPECT_EQ(statistics[1].name, "quoref");
  EXPECT_EQ(statistics[1].candidates, 1);
  EXPECT_EQ(statistics[1].unscored, 1);
  EXPECT_TRUE(statistics[1].sources.empty());
}

TEST(MochaStatistics, AveragesLengthsOverTheCandidates) {
  const ConstituentStatistics drop = mocha_statistics(kAnswers)[0];
  EXPECT_DOUBLE_EQ(drop.passage_length, (2 + 2 + 2 + 4) / 4.0);
  EXPECT_DOUBLE_EQ(drop.question_length, 2);
  EXPECT_DOUBLE_EQ(drop.reference_length, 1);
  EXPECT_DOUBLE_EQ(drop.candidate_length, (1 + 3 + 1 + 1) / 4.0);
}

TEST(MochaStatistics, CountsScoresByTheNearestWholeOne) {
  const ConstituentStatistics drop = mocha_statistics(kAnswers)[0];
  EXPECT_EQ(drop.scores, (ScoreCounts{1, 0, 1, 1, 1}));
  ASSERT_EQ(drop.sources.size(), 2u);
  EXPECT_EQ(drop.sources[0].first, "x");
  EXPECT_EQ(drop.sources[0].second.candidates, 3);
  EXPECT_EQ(drop.sources[0].second.scores, (ScoreCounts{1, 0, 0, 1, 1}));
  EXPECT_EQ(drop.sources[1].second.scores, (ScoreCounts{0, 0, 1, 0, 0}));
}

TEST(WordCount, CutsAtBlanksAndPunctuation) {
  EXPECT_EQ(word_count(""), 0);
  EXPECT_EQ(word_count("They're here."), 5);
  EXPECT_EQ(word_count("  Café \n au lait "), 3);
}

}  // namespace rubric::data::mocha_statistics_test
