#include <gtest/gtest.h>

#include "cases.h"
#include "data/derivations/readers.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::r4c_test {

struct R4c : testing::Test {
  std::vector<DerivationQuestion> gold(const std::string& text) const {
    return read_r4c(folder_.write("gold.json", text));
  }
  R4cPredictions predictions(const std::string& text) const {
    return read_r4c_predictions(folder_.write("predictions.json", text));
  }
  std::string gold_error(const std::string& text) const {
    return input_error([&] { gold(text); });
  }
  std::string predictions_error(const std::string& text) const {
    return input_error([&] { predictions(text); });
  }

  TemporaryFolder folder_;
};

TEST_F(R4c, ReadsReferencesInFileOrder) {
  const auto questions =
      gold(R"({"b": [[["T", 3, ["h", "r", "t"]]]], "a": [[["U", 0, ["", "é", "x"]]]]})");
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_EQ(questions[0].id, "b");
  const DerivationStep& step = questions[0].references[0][0];
  EXPECT_EQ(step.title, "T");
  EXPECT_EQ(step.sentence, 3);
  EXPECT_EQ(step.head + step.relation + step.tail, "hrt");
  EXPECT_EQ(to_json(questions[1].references[0]).dump(), R"([["U", 0, ["", "é", "x"]]])");
}

TEST_F(R4c, PredictionsMayLackAnswersAndFacts) {
  const R4cPredictions bare = predictions(R"({"re": {"a": []}})");
  EXPECT_TRUE(bare.derivations.at("a").empty());
  EXPECT_TRUE(bare.answers.empty());
  const R4cPredictions whole =
      predictions(R"({"re": {}, "answer": {"a": "yes"}, "sp": {"a": [["T", 1]]}})");
  EXPECT_EQ(whole.answers.at("a"), "yes");
  EXPECT_EQ(whole.supporting_facts.at("a").at(0), (SupportingFact{"T", 1}));
}

TEST_F(R4c, NamesWhatIsNoDerivation) {
  for (const auto& [step, message] :
       cases<Json, std::string>("data/derivations/r4c_steps.json", "no derivations")) {
    const std::string error =
        predictions_error(R"({"re": {"q1": [["T", 0, ["h", "r", "t"]], )" + step.dump() + "]}}");
    expect_says(error, {message, folder_.file("predictions.json") + ": \"q1\", step 2"});
  }
  expect_contains(predictions_error("{}"), "there is no \"re\"");
  expect_contains(predictions_error(R"({"re": []})"), "\"re\" is an array, not an object");
  expect_contains(predictions_error(R"({"re": {}, "answer": {"q": 3}})"), "the answer is a number");
  expect_contains(predictions_error(R"({"re": {}, "sp": {"q": [["T"]]}})"), "has 1 part, not 2");
}

TEST_F(R4c, NamesWhatIsNoGold) {
  expect_contains(gold_error(R"({"q": []})"), "the question has no derivation");
  expect_says(gold_error(R"({"q": [[["T", 0, ["h", "r", "t"]]], []]})"),
              {"the derivation has no step", "\"q\", derivation 2"});
  expect_contains(gold_error("{}"), "there is no question");
  expect_contains(gold_error("[]"), "the file is an array, not an object");
  expect_contains(gold_error(std::string(100000, '[')), "nested deeper than");
  expect_contains(gold_error("{\"q\xff\": []}"), "UTF-8");
}

}  // namespace rubric::data::r4c_test
