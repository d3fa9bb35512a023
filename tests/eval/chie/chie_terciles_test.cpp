// Answers in thirds by BERTScore.
#include <gtest/gtest.h>

#include "eval/chie/chie.h"
#include "judge/ledger/example_entry.h"
#include "messages.h"

namespace rubric::eval::chie_terciles_test {

struct Terciles : testing::Test {
  void add(double bertscore, int64_t length, const std::optional<Ratings>& rating) {
    system_.answers.push_back({&entry_, std::nullopt, bertscore});
    words_.systems.front().lengths.push_back(length);
    assessor_.ratings.push_back(rating);
  }
  std::vector<ChieTercile> terciles() const {
    return bertscore_terciles(std::vector{system_}, words_, assessor_);
  }

  static constexpr Ratings kAll = {true, true, true, true}, kNo = {false, false, false, false};
  judge::LedgerEntry entry_ = example_entry("llama", "1");
  ChieSystem system_{"llama", "en"};
  ChieWordCounts words_{{ChieWords{}}, {}};
  Rater assessor_{"gpt", {}};
};

TEST_F(Terciles, CountInThirds) {
  add(90, 1, Ratings{true, false, false, false});
  add(50, 20, Ratings{true, true, {}, false});
  add(70, 7, kAll);
  add(99, 4, std::nullopt);  // not assessed
  add(60, 10, Ratings());    // no verdicts
  add(80, 2, kNo);
  add(75, 4, kAll);
  const std::vector<ChieTercile> thirds = terciles();
  ASSERT_EQ(thirds.size(), 3u);
  using Agreed = std::array<int64_t, 4>;
  EXPECT_EQ(thirds[0].name, "low");
  EXPECT_EQ(thirds[0].n, 2);
  EXPECT_EQ(thirds[0].lowest, 50);
  EXPECT_EQ(thirds[0].highest, 60);
  EXPECT_EQ(thirds[0].agreed, (Agreed{1, 1, 0, 0}));
  EXPECT_EQ(thirds[0].undecided, 2);
  EXPECT_EQ(thirds[0].mean_length, 15);
  EXPECT_EQ(thirds[1].name, "medium");
  EXPECT_EQ(thirds[1].agreed, (Agreed{2, 2, 2, 2}));
  EXPECT_EQ(thirds[1].undecided, 0);
  EXPECT_EQ(thirds[1].mean_length, 5.5);
  EXPECT_EQ(thirds[2].name, "high");
  EXPECT_EQ(thirds[2].agreed, (Agreed{1, 0, 0, 0}));
  EXPECT_EQ(thirds[2].mean_length, 1.5);
}

// Of equal scores the first answers are in the first third; of 4 and 5 answers the last third, and
// the last two, have one more.
TEST_F(Terciles, EqualScoresStayInOrder) {
  for (int i = 0; i < 4; ++i) add(50, i, kNo);
  std::vector<ChieTercile> thirds = terciles();
  EXPECT_EQ(thirds[0].n, 1);
  EXPECT_EQ(thirds[0].mean_length, 0);
  EXPECT_EQ(thirds[0].tied, 1);
  EXPECT_EQ(thirds[1].n, 1);
  EXPECT_EQ(thirds[1].mean_length, 1);
  EXPECT_EQ(thirds[2].n, 2);
  add(50, 4, kNo);
  thirds = terciles();
  EXPECT_EQ(thirds[0].n, 1);
  EXPECT_EQ(thirds[1].n, 2);
  EXPECT_EQ(thirds[2].n, 2);
}

// 10 20 | 20 20 | 30 30: the cut behind 20 parts three, the one before 30 none.
TEST_F(Terciles, CountWhatACutParts) {
  for (const double score : {10, 20, 20, 20, 30, 30}) add(score, 1, kNo);
  const std::vector<ChieTercile> thirds = terciles();
  EXPECT_EQ(thirds[0].tied, 1);
  EXPECT_EQ(thirds[1].tied, 2);
  EXPECT_EQ(thirds[2].tied, 0);
}

TEST_F(Terciles, AreOfOneLanguage) {
  EXPECT_FALSE(has_several_languages(std::vector<ChieSystem>{{"llama", "en"}, {"lion", "en"}}));
  const std::vector<ChieSystem> systems = {{"llama", "en"}, {"lion", "th"}};
  EXPECT_TRUE(has_several_languages(systems));
  EXPECT_TRUE(bertscore_terciles(systems, words_, assessor_).empty());
}

TEST_F(Terciles, AreOfThreeAnswersOrMore) {
  add(50, 1, kNo);
  add(60, 1, kNo);
  EXPECT_TRUE(terciles().empty());
}

}  // namespace rubric::eval::chie_terciles_test
