// Against the integer programme of make_r4c.py.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "data/derivations/readers.h"
#include "metrics/derivations/derivation_scores.h"
#include "paths.h"

namespace rubric::metrics::alignment_test {

const std::string kFixture = std::string(fixtures_folder()) + "/r4c";

TEST(DerivationAlignment, EqualsTheIntegerProgramme) {
  const std::vector<data::DerivationQuestion> gold = data::read_r4c(kFixture + "/gold.json");
  const data::R4cPredictions predictions =
      data::read_r4c_predictions(kFixture + "/predictions.json");
  const Json expected = Json::parse_file(kFixture + "/expected.json");
  ASSERT_EQ(gold.size(), expected.object().size());
  for (const data::DerivationQuestion& question : gold) {
    const data::Derivation& candidate = predictions.derivations.at(question.id);
    const DerivationScores scores =
        best_reference(score_derivation(candidate, question.references));
    size_t scorer = 0;
    for (const char* const key : {"e", "r", "er"}) {
      const Json& values = *expected.find(question.id)->find(key);
      const DerivationScore& score = scores[scorer++];
      EXPECT_NEAR(score.precision, values.find("prec")->number(), 1e-9) << question.id << key;
      EXPECT_NEAR(score.recall, values.find("recall")->number(), 1e-9) << question.id << key;
      EXPECT_NEAR(score.f1, values.find("f1")->number(), 1e-9) << question.id << key;
      if (candidate.empty()) continue;
      EXPECT_EQ(static_cast<double>(score.reference), values.find("best")->number())
          << question.id << key;
    }
  }
}

TEST(DerivationAlignment, EqualsTheIntegerProgrammeOnAllOfDev) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string folder = std::string(data) + "/r4c";
  const data::R4cPredictions core = data::read_r4c_predictions(folder + "/bm_core.json");
  std::ifstream expected(kFixture + "/dev.txt");
  for (const data::DerivationQuestion& question : data::read_r4c(folder + "/dev_csf.json")) {
    std::string id, precision, recall;
    ASSERT_TRUE(expected >> id);
    ASSERT_EQ(id, question.id);
    const DerivationScores scores =
        best_reference(score_derivation(core.derivations.at(id), question.references));
    for (const DerivationScore& score : scores) {
      ASSERT_TRUE(expected >> precision >> recall);
      const double p = std::stod(precision), r = std::stod(recall);
      EXPECT_NEAR(score.precision, p, 1e-9) << id;
      EXPECT_NEAR(score.recall, r, 1e-9) << id;
      EXPECT_NEAR(score.f1, p + r > 0 ? 2 * p * r / (p + r) : 0, 1e-9) << id;
    }
  }
}

TEST(DerivationAlignment, SimilarityOfPhrases) {
  EXPECT_EQ(phrase_similarity("", ""), 1);
  EXPECT_EQ(phrase_similarity("", "ab"), 0);
  EXPECT_EQ(phrase_similarity("The BAND", "the band"), 1);
  EXPECT_DOUBLE_EQ(phrase_similarity("中文", "中国"), 0.5);
}

TEST(DerivationAlignment, AStepAloneInEveryRespectAlignsWithNothing) {
  const data::Derivation candidate = {{"T", 0, "ab", "cd", "ef"}};
  const std::vector<data::Derivation> references = {{{"T", 0, "xy", "zw", "uv"}}};
  for (const DerivationScore& score : best_reference(score_derivation(candidate, references))) {
    EXPECT_EQ(score.f1, 0);
    EXPECT_TRUE(score.alignment.empty());
  }
}

}  // namespace rubric::metrics::alignment_test
