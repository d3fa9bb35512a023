#include <gtest/gtest.h>

#include "metrics/meteor/alignment.h"
#include "metrics/meteor/meteor_folder.h"

namespace rubric::metrics::matcher_test {

struct MeteorMatcherTest : testing::Test {
  // The matches of every word of the reference, as "MODULE LENGTH:START+LENGTH".
  std::vector<std::vector<std::string>> match(const std::string& candidate,
                                              const std::string& reference) {
    MeteorSentence words, wanted;
    lexicon_.read(candidate, words);
    lexicon_.read(reference, wanted);
    matcher_.set_candidate(words);
    matcher_.match(wanted, matches_);
    std::vector<std::vector<std::string>> shown;
    for (const auto& list : matches_.by_start) {
      shown.emplace_back();
      for (const MeteorMatch& match : list) {
        shown.back().push_back(std::string(1, "estp"[static_cast<size_t>(match.module)]) + " " +
                               std::to_string(match.length) + ":" +
                               std::to_string(match.candidate_start) + "+" +
                               std::to_string(match.candidate_length));
      }
    }
    return shown;
  }

  const MeteorFolder folder_;
  const MeteorData data_ = read_meteor_data(folder_.path());
  MeteorLexicon lexicon_{data_};
  MeteorMatcher matcher_{data_.paraphrases->word_count()};
  MeteorMatches matches_;
};

using Shown = std::vector<std::vector<std::string>>;

TEST_F(MeteorMatcherTest, ModulesMatchOneAfterTheOther) {
  EXPECT_EQ(match("boxes box", "box"), (Shown{{"e 1:1+1", "s 1:0+1", "t 1:0+1"}}));
  EXPECT_EQ(matches_.coverage, std::vector<int32_t>{3});
  EXPECT_EQ(matches_.candidate_coverage, (std::vector<int32_t>{2, 1}));
}

TEST_F(MeteorMatcherTest, PhrasesMatchEitherWay) {
  // "man" and "guy" stand in the table both ways, "metropolis" for "big city" one way.
  EXPECT_EQ(match("guy", "man"), (Shown{{"p 1:0+1", "p 1:0+1"}}));
  EXPECT_EQ(match("big city x", "metropolis x"), (Shown{{"p 1:0+2"}, {"e 1:2+1"}}));
  EXPECT_EQ(match("metropolis x", "big city x"), (Shown{{"p 2:0+1"}, {}, {"e 1:1+1"}}));
  EXPECT_EQ(matches_.coverage, (std::vector<int32_t>{1, 1, 1}));
}

TEST_F(MeteorMatcherTest, EqualSentencesMatchExactlyOnly) {
  EXPECT_EQ(match("man guy", "man guy"), (Shown{{"e 1:0+1"}, {"e 1:1+1"}}));
  EXPECT_EQ(match("", ""), Shown());
}

}  // namespace rubric::metrics::matcher_test
