// The checkpoints of tests/fixtures/make_comet.py, imported: scores are unbabel-comet's.
#include <cstdlib>
#include <set>

#include "messages.h"
#include "metrics/list.h"
#include "metrics/neural/allennlp_import.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/model_use.h"
#include "metrics/neural/recipes/comet_model.h"
#include "metrics/recipe.h"
#include "models/weights/weights.h"

namespace rubric::metrics::comet_test {

struct Comet : testing::Test {
  Comet() { setenv("RUBRIC_MODELS", fixture("comet").c_str(), 1); }
  ~Comet() override { unsetenv("RUBRIC_MODELS"); }

  std::string imported(const std::string& name) const {
    const fs::path output = folder_.path() / name;
    fs::remove_all(output);
    import_model({"comet", fixture("comet/" + name + "/checkpoints/model.ckpt"), output});
    return output.string();
  }

  TemporaryFolder folder_;
};

std::unique_ptr<AnswerMetric> make(const char* name, const std::string& model,
                                   const Settings& settings = {}) {
  return make_answer_metric(require_metric(name), {model, settings});
}

std::vector<data::Answer> rows() {
  std::vector<data::Answer> answers;
  const Json expected = Json::parse_file(fixture("comet/expected.json"));
  for (const Json& row : expected.require_array("rows", "")) {
    data::Answer& answer = answers.emplace_back();
    answer.passage = row.require_string("source", "");
    answer.candidate = row.require_string("candidate", "");
    answer.references = {row.require_string("reference", "")};
  }
  return answers;
}

TEST_F(Comet, ScoresEqualUnbabelComet) {
  const Json expected = Json::parse_file(fixture("comet/expected.json"));
  const std::pair<const char*, const char*> models[] = {{"comet", "comet"},
                                                        {"cometkiwi", "cometkiwi"},
                                                        {"softmax", "comet"},
                                                        {"referenceless", "cometkiwi"}};
  for (const auto& [name, metric_name] : models) {
    const auto metric = make(metric_name, imported(name));
    const std::vector<data::Answer> answers = rows();
    const data::Scores scores = metric->score(answers);
    expect_contains(metric->signature(), "|trunc:3/8|");
    const Json::Array& values = expected.require_array(name, "");
    ASSERT_EQ(scores.rows.size(), values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(scores.rows[i][0], values[i].number(), 1e-5) << name << " " << i;
      EXPECT_NEAR(metric->score(std::span(answers).subspan(i, 1)).rows[0][0], scores.rows[i][0],
                  1e-5)
          << name << " " << i << " by itself";
    }
  }
}

TEST_F(Comet, ImportWritesAModelDirectory) {
  const fs::path output = imported("comet");
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(output)) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"added_tokens.json", "comet.json", "config.json",
                                          "model.safetensors", "tokenizer.json",
                                          "tokenizer_config.json"}));
  for (const auto& [name, tensor] : models::read_weights(output)) {
    EXPECT_FALSE(name.starts_with("encoder.model.") || name.find("dropout") != std::string::npos)
        << name;
  }
}

TEST_F(Comet, WhatItDoesNotComputeIsRefused) {
  const fs::path output = imported("comet");
  const auto refusal = [&](const char* key, const Json& value) {
    Json settings = Json::parse_file(output / kCometFile);
    const std::string before = settings.dump();
    settings[key] = value;
    write_file(output / kCometFile, settings.dump());
    const std::string message = input_error([&] { load_comet(output); });
    write_file(output / kCometFile, before);
    return message;
  };
  expect_contains(refusal("pool", "max"), "pool is \"max\"");
  expect_contains(refusal("layer", 7), "layer is 7");
  expect_contains(refusal("layer_norm", "yes"), "layer_norm is \"yes\"");
  expect_contains(refusal("activations", "GELU"), "activations is \"GELU\"");
  expect_contains(refusal("encoder_model", "BERT"), "encoder_model is \"BERT\"");
  expect_contains(refusal("input_segments", Json::Array{"mt", "src", "ref"}), "input_segments is");
  expect_contains(input_error([&] { make("cometkiwi", output); }),
                  "the model reads 3 texts, and the recipe cometkiwi has 2 inputs");
  expect_contains(input_error([&] { load_comet(fixture("comet/xlm-roberta-tiny")); }),
                  "it has no comet.json");
  models::NamedTensors tensors = models::read_weights(output);
  std::erase_if(tensors, [](const auto& named) { return named.first == "estimator.ff.3.bias"; });
  fs::remove(output / "model.safetensors");
  models::write_weights(output, tensors);
  expect_contains(input_error([&] { load_comet(output); }), "estimator.ff.3.bias is missing");
}

TEST_F(Comet, RefusedImportsLeaveNothing) {
  const auto refusal = [&](const std::string& archive, const std::string& from) {
    return input_error([&] { import_model({from, archive, folder_.path() / "out"}); });
  };
  const std::string checkpoint = fixture("comet/comet/checkpoints/model.ckpt");
  expect_contains(refusal(checkpoint, "alignscore"), "hyper_parameters");
  folder_.write("alone.ckpt", read_file(checkpoint));
  expect_contains(refusal(folder_.file("alone.ckpt"), "comet"), "hparams.yaml");
  expect_contains(refusal(fixture("comet/expected.json"), "comet"), "not a zip file");
  folder_.write("cut.ckpt", read_file(checkpoint).substr(0, 20000));
  expect_contains(refusal(folder_.file("cut.ckpt"), "comet"), "its end is missing");
  unsetenv("RUBRIC_MODELS");
  expect_contains(refusal(checkpoint, "comet"), "xlm-roberta-tiny");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"alone.ckpt", "cut.ckpt"}));
}

}  // namespace rubric::metrics::comet_test
