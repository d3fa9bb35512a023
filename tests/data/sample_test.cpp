// The data of samples/mocha, which the demo and the README use.
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "data/answers/mocha.h"
#include "paths.h"

namespace rubric::data::sample_test {

std::string sample(const std::string& split) {
  return std::string(source_folder()) + "/samples/mocha/" + split + ".json";
}

const std::vector<std::string> kSplits = {"train", "dev", "test"};

TEST(Sample, HasEachConstituentInEachSplit) {
  const std::set<std::string> expected = {"cosmosqa",    "drop",   "mcscript",
                                          "narrativeqa", "quoref", "socialiqa"};
  std::map<std::string, int> rows;
  for (const std::string& split : kSplits) {
    std::set<std::string> constituents;
    for (const Answer& answer : read_mocha(sample(split))) {
      constituents.insert(answer.constituent);
      ++rows[answer.constituent];
    }
    EXPECT_EQ(constituents, expected) << split;
  }
  for (const auto& [constituent, count] : rows) {
    EXPECT_GE(count, 60) << constituent;
    EXPECT_LE(count, 100) << constituent;
  }
}

TEST(Sample, HasFortyMinimalPairs) {
  const auto pairs = read_mocha_pairs(sample("minimal_pairs"));
  EXPECT_EQ(pairs.size(), 40u);
  for (const AnswerPair& pair : pairs) {
    EXPECT_TRUE(pair.better.score) << pair.better.id;
    EXPECT_NE(pair.better.candidate, pair.worse.candidate) << pair.better.id;
  }
}

TEST(Sample, IdsAreUniqueOverEverything) {
  std::set<std::string> ids;
  for (const std::string& split : kSplits) {
    for (const Answer& answer : read_mocha(sample(split))) {
      EXPECT_TRUE(ids.insert(answer.id).second) << answer.id;
    }
  }
  for (const AnswerPair& pair : read_mocha_pairs(sample("minimal_pairs"))) {
    EXPECT_TRUE(ids.insert(pair.better.id).second) << pair.better.id;
  }
}

// The minimal pairs count with the test split, whose passages they may share.
TEST(Sample, NoPassageIsInTwoSplits) {
  std::map<std::string, std::string> split_of;
  const auto check = [&](const Answer& answer, const std::string& split) {
    EXPECT_EQ(split_of.emplace(answer.passage, split).first->second, split) << answer.id;
  };
  for (const std::string& split : kSplits) {
    for (const Answer& answer : read_mocha(sample(split))) check(answer, split);
  }
  for (const AnswerPair& pair : read_mocha_pairs(sample("minimal_pairs"))) {
    check(pair.better, "test");
  }
}

TEST(Sample, NoCandidateIsItsReference) {
  for (const std::string& split : kSplits) {
    for (const Answer& answer : read_mocha(sample(split))) {
      EXPECT_NE(answer.candidate, answer.references[0]) << answer.id;
    }
  }
  for (const AnswerPair& pair : read_mocha_pairs(sample("minimal_pairs"))) {
    EXPECT_NE(pair.better.candidate, pair.better.references[0]) << pair.better.id;
    EXPECT_NE(pair.worse.candidate, pair.worse.references[0]) << pair.worse.id;
  }
}

TEST(Sample, ScoresAreTheMeansOfTheJudgements) {
  for (const std::string& split : kSplits) {
    const std::string file = sample(split);
    const Json root = Json::parse_file(file);
    for (const Answer& answer : read_mocha(file)) {
      const Json& instance = root.require(answer.constituent, file).require(answer.id, file);
      const auto& judgements = instance.require("metadata", file).require("scores", file).array();
      ASSERT_FALSE(judgements.empty()) << answer.id;
      double sum = 0;
      for (const Json& judgement : judgements) sum += judgement.number();
      ASSERT_TRUE(answer.score) << answer.id;
      EXPECT_NEAR(*answer.score, sum / static_cast<double>(judgements.size()), 1e-6) << answer.id;
    }
  }
}

}  // namespace rubric::data::sample_test
