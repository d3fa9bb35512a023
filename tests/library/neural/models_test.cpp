// Models and training through include/rubric.
#include <filesystem>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "core/files/files.h"
#include "core/json/json.h"
#include "messages.h"
#include "paths.h"
#include "recorder.h"
#include "rubric/neural.h"
#include "rubric/training.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

const std::string kTinyLerc = std::string(fixtures_folder()) + "/lerc";

TEST(LibraryModels, AMetricWithAModelScoresAsTransformersDoes) {
  const Json rows = Json::parse_file(kTinyLerc + "/expected.json");
  std::vector<Answer> answers;
  for (const Json& row : rows.array()) {
    Answer answer;
    answer.id = std::to_string(answers.size());
    answer.passage = row.require_string("passage", "");
    answer.question = row.require_string("question", "");
    answer.candidate = row.require_string("candidate", "");
    answer.references = {row.require_string("reference", "")};
    answers.push_back(std::move(answer));
  }
  Recorder recorder;
  CancellationSource source;
  const auto lerc = make_metric_with_model("lerc", kTinyLerc, {}, {&recorder, source.token(), {}});
  const Scores scores = lerc->score(answers);
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_NEAR(scores.rows[i][0],
                rows.array()[i].find("expected")->find("pqac")->find("score")->number(), 1e-5);
  }
  EXPECT_FALSE(recorder.updates.empty());
  source.cancel();
  EXPECT_THROW(lerc->score(answers), Interrupted);
  expect_contains(input_error([] { make_metric_with_model("f1", kTinyLerc); }), "make_metric()");
}

// What is shipped, with the tiny LERC in place of the model.
TEST(LibraryModels, WithoutANameTheMetricsOwnModelScores) {
  const TemporaryFolder folder;
  const std::string model = folder.file("models/lerc-answers-small");
  fs::create_directory(folder.file("models"));
  fs::copy(kTinyLerc, model);
  folder.write("models/lerc-answers-small/rubric.yaml", "max_length: 64\nthreshold: -1000\n");
  const Context context{nullptr, {}, {.shipped = folder.path(), .fetched = {}, .programs = {}}};
  std::vector<Answer> answers(1);
  answers[0].candidate = "a farmer";
  answers[0].references = {"a farmer named Tom"};
  const auto own = make_metric_with_model("lerc", "", {}, context),
             named = make_metric_with_model("lerc", "lerc-answers", {}, context);
  EXPECT_EQ(own->score(answers).rows, named->score(answers).rows);
  EXPECT_TRUE(own->signature().starts_with("lerc|model:lerc-answers-small:")) << own->signature();
  EXPECT_EQ(named->signature(), own->signature());  // however it is named
  const auto by_path = make_metric_with_model("lerc", model, {}, context),
             elsewhere = make_metric_with_model("lerc", kTinyLerc, {}, context);
  by_path->score(answers);
  EXPECT_EQ(by_path->signature(), own->signature());
  EXPECT_FALSE(holds(elsewhere->signature(), "lerc-answers-small"));
  expect_contains(input_error([&] { make_metric_with_model("bertscore", "", {}, context); }),
                  "no model is named");

  const std::filesystem::path rows = folder.write(
      "rows.jsonl",
      R"({"reference": "a farmer", "candidate": "Tom", "passage": "rain", "question": "who?"})");
  ScoreRequest request;
  request.metrics = {"lerc"};
  request.settings = {{"verdict", ""}};
  request.input = rows;
  const std::vector<FileScore> scores = score_file_with_models(request, context);
  EXPECT_EQ(scores.at(0).correct, 1);
  expect_contains(scores[0].signature, "|threshold:-1000|");
  fs::remove(model + "/config.json");
  expect_contains(input_error([&] { score_file_with_models(request, context); }),
                  "lerc-answers-small is shipped with rubric and not in this installation");
  for (const MetricInfo& info : list_metrics()) {
    EXPECT_EQ(info.default_model, info.name == "lerc" ? "lerc-answers-small" : "") << info.name;
  }
}

// Its rows are checked, and then read again.
TEST(LibraryModels, ARewrittenFileOfRationalesIsRefused) {
  struct Rewriter : Observer {
    void log(LogLevel, const std::string& message) override {
      if (message.starts_with("not scored: ")) write_file(file, text);
    }
    std::filesystem::path file;
    std::string text;
  };
  const auto row = [](const std::string& id, const std::string& rationale) {
    return R"({"id": ")" + id + R"(", "question": "Where?", "label": "attic", "rationale": ")" +
           rationale + R"(", "baseline": "In the attic."})" + "\n";
  };
  const std::string checked = row("a", "r") + row("b", " ") + row("c", "r");
  for (const std::string& text : {checked + row("d", "r"), row("a", "r") + row("b", " "),
                                  row("a", "r") + row("b", " ") + row("c", "other")}) {
    const TemporaryFolder folder;
    Rewriter rewriter;
    rewriter.file = folder.write("rows.jsonl", checked);
    rewriter.text = text;
    ScoreRequest request;
    request.metrics = {"rev"};
    request.models = {std::string(fixtures_folder()) + "/rev/t5_v1_0"};
    request.settings = {{"keep-going", ""}};
    request.input = rewriter.file;
    request.output = folder.file("out.jsonl");
    expect_says(input_error([&] {
                  score_file_with_models(request, {&rewriter, {}, {}});
                }),
                {"has changed since", "rows.jsonl"});
  }
}

TEST(LibraryModels, TrainsAndTellsEachLossAndValidation) {
  const TemporaryFolder folder;
  Json rows;
  for (int i = 0; i < 24; ++i) {
    Json row;
    row["context"] = "Maria walked to the market .";
    row["question"] = "Who needed it ?";
    row["reference"] = "a farmer named Tom";
    row["candidate"] = i % 2 == 0 ? "a farmer" : "two lemons";
    row["score"] = i % 2 == 0 ? 5 : 1 + i % 3;
    rows["drop"]["i" + std::to_string(i)] = row;
  }
  folder.write("rows.json", rows.dump());
  fs::create_directory(folder.file("encoder"));
  for (const char* part :
       {"config.json", "vocab.txt", "tokenizer_config.json", "model.safetensors"}) {
    fs::copy_file(kTinyLerc + "/" + part, folder.file("encoder") + "/" + part);
  }
  const TrainRequest request{
      .configuration = {std::string(source_folder()) + "/configs/lerc.yaml",
                        {"model.name=" + folder.file("encoder"),
                         "data.train=" + folder.file("rows.json"),
                         "data.dev=" + folder.file("rows.json"),
                         "data.store=" + folder.file("store"), "data.max_length=64",
                         "batches.size=8", "run.epochs=1", "threads=1"}},
      .output = folder.file("run"),
      .command = ""};
  Recorder recorder;
  const Context context{&recorder, {}, {}};
  CancellationSource source;
  source.cancel();
  EXPECT_THROW(train_model(request, {nullptr, source.token(), {}}), Interrupted);
  const int threads = at::get_num_threads();
  const TrainResult result = train_model(request, context);
  EXPECT_EQ(at::get_num_threads(), threads);
  EXPECT_EQ(result.validations.size(), 1U);
  EXPECT_TRUE(fs::exists(result.model / "rubric.yaml"));
  EXPECT_EQ(recorder.values.size(), 3U + 2U);  // updates and both of a validation
  EXPECT_EQ(recorder.values[3].first, "dev_loss");
  EXPECT_EQ(recorder.values.back().first, "pearson");
  EXPECT_TRUE(train_model(request).was_finished);
}

}  // namespace
}  // namespace rubric
