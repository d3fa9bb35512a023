// The evaluate command, called in this process: files in, printed figures out.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/commands.h"
#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"

namespace rubric {
namespace {

class Evaluate : public testing::Test {
 protected:
  Evaluate() : directory_(testing::TempDir() + "rubric_evaluate_" + std::to_string(getpid())) {
    std::filesystem::create_directories(directory_);
    set_quiet(true);
    write("data.json", instances({"1", "2", "4", "5"}, ""));
    write("predictions.json", R"({"drop": {"i0": {"pred_score": 1}, "i1": {"pred_score": 3},
      "i2": {"pred_score": 2}, "i3": {"pred_score": 4}}})");
    write("scores.jsonl",
          R"({"id": "i0", "constituent": "drop", "scores": {"lerc": 1, "bleu1": 0.1}}
{"id": "i1", "scores": {"lerc": 3, "bleu1": 0.2}}
{"id": "i2", "scores": {"lerc": 2, "bleu1": 0.3}}
{"id": "i3", "scores": {"lerc": 4, "bleu1": null}}
)");
    write("pairs.json", R"({"drop": {"m": {"context": "p", "question": "q", "reference": "r",
      "candidate1": "a", "candidate2": "b", "score1": 5, "score2": 1}}})");
    write("pair_predictions.json", R"({"drop": {"m": {"pred_score1": 2, "pred_score2": 2}}})");
    write("pair_scores.json",
          R"({"drop": {"m": {"scores1": {"lerc": 2}, "scores2": {"lerc": 1}}}})");
  }
  ~Evaluate() override {
    set_quiet(false);
    std::filesystem::remove_all(directory_);
  }

  // One constituent of MOCHA with the given human scores.
  static std::string instances(const std::vector<std::string>& scores, const std::string& more) {
    std::string text = "{\"drop\": {";
    for (size_t i = 0; i < scores.size(); ++i) {
      text += (i > 0 ? ", \"i" : "\"i") + std::to_string(i) +
              R"(": {"context": "p", "question": "q", "reference": "r", "candidate": "c",
                 "metadata": {"source": "bert"}, "score": )" +
              scores[i] + more + "}";
    }
    return text + "}}";
  }

  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    write_file(path(name), text);
  }

  // What `evaluate mocha --data data.json …` prints.
  std::string run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"mocha", "--data", path("data.json")});
    testing::internal::CaptureStdout();
    try {
      EXPECT_EQ(run_evaluate(arguments), kDone);
    } catch (...) {
      testing::internal::GetCapturedStdout();
      throw;
    }
    return testing::internal::GetCapturedStdout();
  }

  Json run_json(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--format", "json"});
    return Json::parse(run(arguments), "stdout");
  }

  std::string error_of(const std::vector<std::string>& arguments) const {
    try {
      run(arguments);
    } catch (const InputError& error) {
      return error.what();
    }
    ADD_FAILURE() << "no InputError";
    return "";
  }

  void expect_error(const std::vector<std::string>& arguments, const std::string& part) const {
    const std::string message = error_of(arguments);
    EXPECT_NE(message.find(part), std::string::npos) << part << " in " << message;
  }

 private:
  std::string directory_;
};

const double kPearson = 5 / std::sqrt(10.0 * 5.0);  // of 1 2 4 5 and 1 3 2 4

TEST_F(Evaluate, PredictionFile) {
  const Json json = run_json({"--predictions", path("predictions.json")});
  const Json& drop = *json.find("constituents")->find("drop");
  EXPECT_NEAR(drop.find("pearson")->number(), kPearson, 1e-12);
  EXPECT_NEAR(drop.find("spearman")->number(), 0.8, 1e-12);
  EXPECT_NEAR(drop.find("kendall")->number(), 2.0 / 3, 1e-12);
  EXPECT_EQ(drop.find("n")->number(), 4);
  EXPECT_NEAR(drop.find("sources")->find("bert")->find("pearson")->number(), kPearson, 1e-12);
  EXPECT_EQ(json.find("minimal_pairs"), nullptr);
}

TEST_F(Evaluate, ScoredRowsMatchByIdAndCountWhatIsMissing) {
  const Json json = run_json({"--scores", path("scores.jsonl")});
  const Json& metrics = *json.find("metrics");
  EXPECT_NEAR(metrics.find("lerc")->find("average")->find("pearson")->number(), kPearson, 1e-12);
  EXPECT_EQ(metrics.find("bleu1")->find("constituents")->find("drop")->find("missing")->number(),
            1);
}

TEST_F(Evaluate, ScoresInMochasNesting) {
  write("scored.json", instances({"1", "2", "4", "5"}, R"(, "scores": {"em": 1})"));
  const Json json = run_json({"--scores", path("scored.json")});
  EXPECT_TRUE(json.find("average")->find("pearson")->is_null());  // constant
  EXPECT_EQ(json.find("notes")->array().size(), 1u);
}

TEST_F(Evaluate, TextShowsIntervalsPairsAndMissing) {
  const std::string text =
      run({"--scores", path("scores.jsonl"), "--metric", "lerc", "--metric", "bleu1",
           "--minimal-pairs", path("pairs.json"), "--pair-scores", path("pair_scores.json")});
  EXPECT_NE(text.find("constituent"), std::string::npos);
  EXPECT_LT(text.find("lerc"), text.find("bleu1"));  // in the order asked for
  EXPECT_NE(text.find("0.707 ["), std::string::npos) << text;
  EXPECT_NE(text.find("minimal pairs: drop (%)"), std::string::npos);
  EXPECT_NE(text.find("100.0  "), std::string::npos);
  EXPECT_NE(text.find("not scored"), std::string::npos);
  EXPECT_NE(text.find("bleu1: 1 of 4 predictions missing, counted as 0 (drop 1)"),
            std::string::npos);
}

TEST_F(Evaluate, PairPredictionsTie) {
  const Json json =
      run_json({"--predictions", path("predictions.json"), "--minimal-pairs", path("pairs.json"),
                "--pair-predictions", path("pair_predictions.json")});
  EXPECT_EQ(json.find("minimal_pairs")->find("average")->number(), 0.5);
}

TEST_F(Evaluate, SameSeedSameIntervals) {
  const std::vector<std::string> arguments = {
      "--predictions", path("predictions.json"), "--seed", "3", "--resamples", "100"};
  EXPECT_EQ(run(arguments), run(arguments));
}

TEST_F(Evaluate, WritesTheReport) {
  run({"--predictions", path("predictions.json"), "--report", path("report.html")});
  const std::string html = read_file(path("report.html"));
  EXPECT_NE(html.find("prediction|suite:mocha|data:"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"left\">drop</td>"), std::string::npos);
}

TEST_F(Evaluate, BadFilesAreNamed) {
  expect_error({"--predictions", path("absent.json")}, "absent.json");
  write("broken.json", "{\"drop\": ");
  expect_error({"--predictions", path("broken.json")}, "not valid JSON");
  write("broken.jsonl", "{\"id\": \"i0\", \"scores\": {\"lerc\": 1}}\n{\"id\": \n");
  expect_error({"--scores", path("broken.jsonl")}, "broken.jsonl:2");
  write("no_id.jsonl", "{\"scores\": {\"lerc\": 1}}\n");
  expect_error({"--scores", path("no_id.jsonl")}, "\"id\" is missing");
  write("twice.jsonl",
        "{\"id\": 1, \"scores\": {\"a\": 1}}\n{\"id\": 1, \"scores\": {\"a\": 1}}\n");
  expect_error({"--scores", path("twice.jsonl")}, "twice.jsonl:2");
  write("unscored.jsonl", "{\"id\": 1}\n");
  expect_error({"--scores", path("unscored.jsonl")}, "\"scores\" is missing");
  write("empty.jsonl", "");
  expect_error({"--scores", path("empty.jsonl")}, "holds no scores");
  write("data.json", instances({"7"}, ""));
  expect_error({"--predictions", path("predictions.json")}, "\"drop\" / \"i0\"");
}

TEST_F(Evaluate, BadOptionsAreNamed) {
  const std::string scores = path("scores.jsonl"), predictions = path("predictions.json");
  expect_error({"--scores", scores, "--metric", "lrec"}, "did you mean lerc?");
  expect_error({"--scores", scores, "--metric", "lerc", "--metric", "lerc"}, "twice");
  expect_error({"--score", scores}, "did you mean --scores?");
  expect_error({}, "either --predictions or --scores");
  expect_error({"--scores", scores, "--predictions", predictions}, "either");
  expect_error({"--predictions", predictions, "--metric", "lerc"}, "leave --metric out");
  expect_error({"--predictions", predictions, "--minimal-pairs", path("pairs.json")}, "two files");
  expect_error({"--predictions", predictions, "--minimal-pairs", path("pairs.json"),
                "--pair-scores", path("pair_scores.json")},
               "in the same way");
  expect_error({"--predictions", predictions, "--resamples", "0"}, "from 1 to");
  expect_error({"--predictions", predictions, "--seed", "-1"}, "seed");
  expect_error({"--predictions", predictions, "--format", "html"}, "no format called \"html\"");
}

TEST(EvaluateSuites, AreNamed) {
  EXPECT_THROW(run_evaluate({}), InputError);
  try {
    run_evaluate({"moca"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean mocha?"), std::string::npos);
  }
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_evaluate({"--help"}), kDone);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("mocha"), std::string::npos);
}

}  // namespace
}  // namespace rubric
