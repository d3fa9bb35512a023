// `quantize` and `average`, and `score` with what they make.
#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli::derived_model_commands_test {

const std::string kTinyLerc = std::string(fixtures_folder()) + "/lerc";

struct DerivedModels : testing::Test {
  std::vector<double> scores(const std::string& model) const {
    const Outcome outcome =
        done(run({"score", "lerc", "--model", model, "--input", rows_, "--output", "-"}));
    std::vector<double> values;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      values.push_back(Json::parse(line, "row").find("scores")->require_number("lerc", "row"));
    }
    return values;
  }

  TemporaryFolder folder_;
  std::string rows_ = folder_.write("rows.jsonl",
                                    "{\"passage\": \"rain\", \"question\": \"who?\", "
                                    "\"reference\": \"a farmer\", \"candidate\": \"a man\"}\n"
                                    "{\"passage\": \"rain\", \"question\": \"why?\", "
                                    "\"reference\": \"bread\", \"candidate\": \"two lemons\"}\n");
};

TEST_F(DerivedModels, OneInEightBitsScoresNearlyTheSame) {
  const std::string output = folder_.file("small");
  const Outcome made = done(run({"rubric", "quantize", kTinyLerc, "--output", output}));
  EXPECT_EQ(made.out, "model: " + output + "\n");
  EXPECT_LT(std::filesystem::file_size(output + "/model.safetensors"),
            std::filesystem::file_size(kTinyLerc + "/model.safetensors"));
  const std::vector<double> exact = scores(kTinyLerc), rounded = scores(output);
  ASSERT_EQ(exact.size(), 2u);
  ASSERT_EQ(rounded.size(), 2u);
  for (size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(rounded[i], exact[i], 0.1);
  EXPECT_NE(exact, rounded);
}

TEST_F(DerivedModels, MakesTheFoldersAboveTheModel) {
  for (const std::string name : {"a/b/model", "c/model/"}) {
    done(run({"rubric", "quantize", kTinyLerc, "--output", folder_.file(name)}));
    EXPECT_TRUE(std::filesystem::exists(folder_.file(name) + "/model.safetensors")) << name;
  }
}

TEST_F(DerivedModels, WhatIsWrongIsNamed) {
  const std::string taken = folder_.file("taken");
  std::filesystem::create_directory(taken);
  folder_.write("taken/file", "x");
  expect_message(run({"rubric", "quantize", kTinyLerc, "--output", taken}), 2, {taken});
  expect_message(run({"rubric", "quantize", "no-model", "--output", folder_.file("out")}), 2,
                 {"no-model"});
  expect_message(run({"rubric", "quantize", kTinyLerc}), 2, {"--output"});
  std::filesystem::copy(kTinyLerc, folder_.file("broken"));
  folder_.write("broken/config.json", R"({"model_type": "bert", "vocab_size": "many"})");
  expect_message(
      run({"rubric", "quantize", folder_.file("broken"), "--output", folder_.file("out")}), 2,
      {"\"vocab_size\" must be a number", "broken/config.json"});
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(DerivedModels, TheMeanOfEqualModelsScoresAsTheyDo) {
  const std::string output = folder_.file("a/mean");
  const Outcome made = done(run({"rubric", "average", kTinyLerc, kTinyLerc, "--output", output}));
  EXPECT_EQ(made.out, "model: " + output + "\n");
  EXPECT_EQ(scores(output), scores(kTinyLerc));
}

TEST_F(DerivedModels, WhatCannotBeAveragedIsNamed) {
  const std::string output = folder_.file("out");
  expect_message(run({"rubric", "average", "--output", output}), 2, {"model"});
  expect_message(run({"rubric", "average", kTinyLerc}), 2, {"--output"});
  expect_message(run({"rubric", "average", kTinyLerc, "no-model", "--output", output}), 2,
                 {"no-model"});
  expect_message(run({"rubric", "average", kTinyLerc,
                      std::string(fixtures_folder()) + "/lerc_mpnet", "--output", output}),
                 2, {"configuration or tokenizer"});
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace rubric::cli::derived_model_commands_test
