// `score bertscore` through the command line.
#include "cli/score/score_command.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::bertscore_command_test {

const std::string kModel = std::string(fixtures_folder()) + "/bertscore/roberta";
const std::string kBaseline = std::string(fixtures_folder()) + "/bertscore/baseline.tsv";

struct ScoreBertScore : ScoreCommand {
  ScoreBertScore() : expected_(Json::parse_file(kModel + ".json")) {
    std::string text;
    for (const Json& pair : expected_.find("pairs")->array()) text += pair.dump() + "\n";
    write_file(folder_.file("rows.jsonl"), text);
  }

  std::vector<Json> scored_rows() const {
    std::vector<Json> scored;
    LineReader lines(output());
    for (std::string line; lines.next(line);) scored.push_back(Json::parse(line, lines.where()));
    return scored;
  }

  Json expected_;
};

TEST_F(ScoreBertScore, EqualsThePackage) {
  done(score("bertscore,f1", "rows.jsonl",
             {"--model", kModel, "--layer", "2", "--idf", "--baseline", kBaseline, "--summary",
              folder_.file("summary.json")}));
  const Json& result = expected_.find("results")->array()[3];
  ASSERT_EQ(result.find("layer")->number(), 2);
  ASSERT_TRUE(result.find("idf")->boolean() && result.find("rescale")->boolean());
  const std::vector<Json> scored = scored_rows();
  const Json::Array& rows = result.find("rows")->array();
  ASSERT_EQ(scored.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const Json& scores = *scored[i].find("scores");
    EXPECT_NEAR(scores.find("bertscore_p")->number(), rows[i].array()[0].number(), 1e-5) << i;
    EXPECT_NEAR(scores.find("bertscore_r")->number(), rows[i].array()[1].number(), 1e-5) << i;
    EXPECT_NEAR(scores.find("bertscore")->number(), rows[i].array()[2].number(), 1e-5) << i;
    EXPECT_NE(scores.find("f1"), nullptr);
  }
  const Json summary = Json::parse_file(folder_.file("summary.json"));
  expect_contains(signature_of(summary, "bertscore_p"), "|idf:yes|baseline:");
}

// tests/fixtures/make_encoders.py.
TEST_F(ScoreBertScore, WithOtherEncodersEqualsThePackage) {
  const std::string folder = std::string(fixtures_folder()) + "/encoders/";
  const Json expected = Json::parse_file(folder + "bertscore.json");
  std::string text;
  for (const Json& pair : expected.find("pairs")->array()) text += pair.dump() + "\n";
  write_file(folder_.file("encoders.jsonl"), text);
  for (const Json& result : expected.find("results")->array()) {
    const std::string layer = std::to_string(result.require_integer("layer", ""));
    const std::string& model = result.require_string("model", "");
    SCOPED_TRACE(model + ", layer " + layer);
    done(score("bertscore", "encoders.jsonl", {"--model", folder + model, "--layer", layer}));
    const std::vector<Json> scored = scored_rows();
    const Json::Array& rows = result.find("rows")->array();
    ASSERT_EQ(scored.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const Json& scores = *scored[i].find("scores");
      EXPECT_NEAR(scores.find("bertscore_p")->number(), rows[i].array()[0].number(), 1e-5) << i;
      EXPECT_NEAR(scores.find("bertscore_r")->number(), rows[i].array()[1].number(), 1e-5) << i;
      EXPECT_NEAR(scores.find("bertscore")->number(), rows[i].array()[2].number(), 1e-5) << i;
    }
  }
}

TEST_F(ScoreBertScore, SeveralMetricsHaveTheirOwnModels) {
  const std::string lerc = std::string(fixtures_folder()) + "/lerc";
  done(score("lerc,bertscore", "rows.jsonl",
             {"--model", "bertscore=" + kModel, "--layer", "1", "--model", "lerc=" + lerc,
              "--limit", "5"}));
  EXPECT_NE(scored_rows()[0].find("scores")->find("lerc"), nullptr);
  EXPECT_NE(scored_rows()[0].find("scores")->find("bertscore"), nullptr);
}

// A judge's ledger is scored as it is, and `evaluate chie` takes what was written.
TEST_F(ScoreBertScore, OfAJudgesLedger) {
  std::string rows = "context,question,reference,candidate,reply\n";
  for (const char* candidate : {"308", "It is 308.", "Nobody knows."}) {
    rows += "They gave up 308 points.,How many?,308 points," + std::string(candidate) +
            ",Agree Disagree Agree Disagree\n";
  }
  const std::string ledger = folder_.file("ledger.jsonl");
  ASSERT_EQ(run({"judge", "--import", folder_.write("replies.csv", rows), "--system-name", "llama",
                 "--judge", "gpt", "--ledger", ledger})
                .code,
            0);
  ASSERT_EQ(score("bertscore", "ledger.jsonl", {"--model", kModel, "--layer", "2"}).code, 0);
  double sum = 0;
  for (const Json& row : scored_rows()) sum += row.find("scores")->find("bertscore")->number();
  const Json json = printed_json(
      run({"evaluate", "chie", "--ledger", ledger, "--scores", output(), "--format", "json"}));
  EXPECT_NEAR(value_of(json, "mean", {.metric = "bertscore", .system = "llama"}), sum / 3, 1e-9);
  for (const char* tercile : {"low", "medium", "high"}) {
    const Keys keys{.metric = "bertscore", .subset = tercile};
    EXPECT_EQ(measured(json, "lowest", keys).find("n")->number(), 1);
  }
}

TEST_F(ScoreBertScore, EightBitsAreInEverySignature) {
  const std::string lerc = std::string(fixtures_folder()) + "/lerc";
  const std::string similarity = folder_.file("similarity");
  std::filesystem::copy(lerc, similarity);
  write_file(similarity + "/rubric.yaml", "task: similarity\ninputs: [reference, candidate]\n");
  const Outcome outcome =
      done(score("lerc,similarity,bertscore", "rows.jsonl",
                 {"--int8", "--model", "lerc=" + lerc, "--model", "similarity=" + similarity,
                  "--model", "bertscore=" + kModel, "--layer", "2", "--limit", "5"}));
  for (const char* const metric : {"lerc", "similarity", "bertscore"}) {
    const size_t signature = outcome.err.find(metric + std::string("|model:"));
    ASSERT_NE(signature, std::string::npos) << outcome.err;
    expect_contains(outcome.err.substr(signature, outcome.err.find('\n', signature) - signature),
                    "|weights:int8|");
  }
}

TEST_F(ScoreBertScore, OptionsThatDoNotFitAreNamed) {
  const auto says = [&](const std::string& metrics, const std::vector<std::string>& more,
                        const std::vector<std::string>& parts) {
    SCOPED_TRACE(join(more, " "));
    expect_message(score(metrics, "rows.jsonl", more), 2, parts);
  };
  says("bertscore", {}, {"bertscore needs a model"});
  says("bertscore", {"--model", kModel}, {"the usual layer of this model is not known", "--layer"});
  const std::string trained = folder_.file("trained");
  std::filesystem::copy(kModel, trained);
  write_file(trained + "/rubric.yaml", "task: lerc\n");
  says("bertscore", {"--model", trained}, {"score lerc, which it was trained for", "--layer"});
  says("bertscore", {"--model", kModel, "--layer", "4"}, {"no layer 4"});
  says("bertscore", {"--model", kModel, "--layer", "-1"}, {"--layer is -1"});
  says("bertscore", {"--model", kModel, "--layer", "2", "--baseline", kModel}, {kModel});
  says(
      "bertscore", {"--model", "absent-model", "--layer", "2"},
      {"absent-model", "scripts/download absent-model; models of these types work: bert, roberta"});
  says("lerc", {"--model", kModel, "--idf"}, {"--idf belongs to bertscore"});
  says("f1", {"--layer", "2"}, {"--layer belongs to bertscore"});
  says("f1", {"--int8"},
       {"--int8 belongs to lerc or similarity or bertscore or likelihood or learned or a recipe, "
        "none "
        "of which is scored",
        "add one of them to the metrics"});
  says("lerc,bertscore", {"--model", kModel, "--layer", "1"},
       {"may be any of lerc, bertscore",
        "--model lerc=" + kModel + " or --model bertscore=" + kModel});
  says("lerc,bertscore", {"--model", "lerc=" + kModel}, {"bertscore", "model"});
  says("bertscore", {"--model", "lerc=" + kModel}, {"lerc is not scored"});
  says("bertscore", {"--model", kModel, "--model", "bertscore=" + kModel}, {"two models"});
  says("bertscore", {"--model", "bertscore="}, {"--model is empty"});
}

}  // namespace rubric::cli::bertscore_command_test
