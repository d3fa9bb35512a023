// Models and training through include/rubric.
#include <filesystem>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "core/files/files.h"
#include "core/json/json.h"
#include "library/recorder.h"
#include "messages.h"
#include "paths.h"
#include "rubric/neural.h"
#include "rubric/training.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

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
      .configuration = std::string(source_folder()) + "/configs/lerc.yaml",
      .overrides = {"model.name=" + folder.file("encoder"),
                    "data.train=" + folder.file("rows.json"),
                    "data.dev=" + folder.file("rows.json"), "data.store=" + folder.file("store"),
                    "data.max_length=64", "batches.size=8", "run.epochs=1", "threads=1"},
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
