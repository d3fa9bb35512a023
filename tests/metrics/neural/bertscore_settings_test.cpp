#include <gtest/gtest.h>

#include "messages.h"
#include "metrics/neural/bertscore.h"
#include "temporary_folder.h"

namespace rubric::metrics::bertscore_settings_test {

// bert_score.utils.model2layers of bert-score 0.3.13.
TEST(UsualLayer, IsThatOfThePackage) {
  EXPECT_EQ(usual_layer("bert-base-uncased"), 9);
  EXPECT_EQ(usual_layer("bert-large-uncased"), 18);
  EXPECT_EQ(usual_layer("bert-base-multilingual-cased"), 9);
  EXPECT_EQ(usual_layer("bert-base-chinese"), 8);
  EXPECT_EQ(usual_layer("roberta-base"), 10);
  EXPECT_EQ(usual_layer("roberta-large"), 17);
  EXPECT_EQ(usual_layer("distilroberta-base"), 5);
  EXPECT_EQ(usual_layer("microsoft/deberta-xlarge-mnli"), 40);
  EXPECT_EQ(usual_layer("microsoft/deberta-v3-base"), 9);
  EXPECT_EQ(usual_layer("princeton-nlp/sup-simcse-roberta-large"), 16);
}

TEST(UsualLayer, GoesByTheLastPartOfTheName) {
  EXPECT_EQ(usual_layer("FacebookAI/roberta-large"), 17);
  EXPECT_EQ(usual_layer("/models/roberta-large/"), 17);
  EXPECT_EQ(usual_layer("roberta-larger"), std::nullopt);
  EXPECT_EQ(usual_layer("my/minilm"), std::nullopt);
  EXPECT_EQ(usual_layer(""), std::nullopt);
}

struct ReadBaseline : testing::Test {
  std::string problem(const std::string& text, int64_t layer = 1) const {
    const auto file = folder_.write("baseline.tsv", text);
    return input_error([&] { read_baseline(file, layer); });
  }
  TemporaryFolder folder_;
};

TEST_F(ReadBaseline, GivesTheRowOfTheLayer) {
  const auto file = folder_.write("b.tsv", "LAYER,P,R,F\n0,0.1,0.2,0.3\n1,-0.25,0.5,6e-1\n");
  EXPECT_EQ(read_baseline(file, 1), (Baseline{-0.25, 0.5, 0.6}));
}

TEST_F(ReadBaseline, NamesFileAndLine) {
  expect_contains(problem(""), "baseline.tsv:1");
  expect_contains(problem("LAYER\tP\tR\tF\n"), "the first line is not LAYER,P,R,F");
  expect_contains(problem("LAYER,P,R,F\n0,0.1,0.2,0.3\n"), "no baseline for layer 1");
  expect_contains(problem("LAYER,P,R,F\n1,0.1,0.2\n"), "baseline.tsv:2");
  expect_contains(problem("LAYER,P,R,F\n1,0.1,x,0.3\n"), "\"x\" is not a number");
  expect_contains(problem("LAYER,P,R,F\n1,0.1,nan,0.3\n"), "\"nan\" is not a number");
  expect_contains(problem("LAYER,P,R,F\n1,0.1,1,0.3\n"), "not below 1");
}

}  // namespace rubric::metrics::bertscore_settings_test
