// Answers in thirds by BERTScore.
#include <gtest/gtest.h>

#include "eval/chie/chie.h"
#include "judge/ledger/example_entry.h"
#include "measured.h"

namespace rubric::eval::chie_terciles_test {

struct Terciles : testing::Test {
  void add(double bertscore, int64_t length, const std::optional<Ratings>& rating) {
    system_.answers.push_back({&entry_, std::nullopt, bertscore});
    words_.systems.front().lengths.push_back(length);
    assessor_.ratings.push_back(rating);
  }
  std::vector<Measurement> terciles() const {
    return bertscore_terciles(std::vector{system_}, words_, assessor_, "");
  }
  // A statistic of the low, the medium and the high third.
  std::vector<double> in_thirds(const std::string& statistic,
                                const std::string& metric = "") const {
    std::vector<double> values;
    for (const std::string third : {"low", "medium", "high"}) {
      const Keys keys{.metric = metric, .subset = third};
      values.push_back(*measurement_of(terciles(), statistic, keys).value);
    }
    return values;
  }
  std::vector<std::optional<int64_t>> sizes() const {
    std::vector<std::optional<int64_t>> sizes;
    for (const Measurement& one : terciles()) {
      if (one.statistic == "tied") sizes.push_back(one.n);
    }
    return sizes;
  }

  using Values = std::vector<double>;
  using Sizes = std::vector<std::optional<int64_t>>;
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
  EXPECT_EQ(sizes(), (Sizes{2, 2, 2}));
  EXPECT_EQ(in_thirds("lowest", "bertscore"), (Values{50, 70, 80}));
  EXPECT_EQ(in_thirds("highest", "bertscore"), (Values{60, 75, 90}));
  EXPECT_EQ(in_thirds("count", "C"), (Values{1, 2, 1}));
  EXPECT_EQ(in_thirds("count", "H"), (Values{1, 2, 0}));
  EXPECT_EQ(in_thirds("count", "I"), (Values{0, 2, 0}));
  EXPECT_EQ(in_thirds("count", "E"), (Values{0, 2, 0}));
  EXPECT_EQ(in_thirds("undecided"), (Values{2, 0, 0}));
  EXPECT_EQ(in_thirds("mean", "length"), (Values{15, 5.5, 1.5}));
}

// Of equal scores the first answers are in the first third; of 4 and 5 answers the last third, and
// the last two, have one more.
TEST_F(Terciles, EqualScoresStayInOrder) {
  for (int i = 0; i < 4; ++i) add(50, i, kNo);
  EXPECT_EQ(sizes(), (Sizes{1, 1, 2}));
  EXPECT_EQ(in_thirds("mean", "length"), (Values{0, 1, 2.5}));
  EXPECT_EQ(in_thirds("tied")[0], 1);
  add(50, 4, kNo);
  EXPECT_EQ(sizes(), (Sizes{1, 2, 2}));
}

// 10 20 | 20 20 | 30 30: the cut behind 20 parts three, the one before 30 none.
TEST_F(Terciles, CountWhatACutParts) {
  for (const double score : {10, 20, 20, 20, 30, 30}) add(score, 1, kNo);
  EXPECT_EQ(in_thirds("tied"), (Values{1, 2, 0}));
}

TEST_F(Terciles, AreOfOneLanguage) {
  EXPECT_FALSE(has_several_languages(std::vector<ChieSystem>{{"llama", "en"}, {"lion", "en"}}));
  const std::vector<ChieSystem> systems = {{"llama", "en"}, {"lion", "th"}};
  EXPECT_TRUE(has_several_languages(systems));
  EXPECT_TRUE(bertscore_terciles(systems, words_, assessor_, "").empty());
}

TEST_F(Terciles, AreOfThreeAnswersOrMore) {
  add(50, 1, kNo);
  add(60, 1, kNo);
  EXPECT_TRUE(terciles().empty());
}

}  // namespace rubric::eval::chie_terciles_test
