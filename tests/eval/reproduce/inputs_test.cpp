#include <gtest/gtest.h>

#include "core/context.h"
#include "eval/reproduce/experiment_example.h"
#include "eval/reproduce/plan.h"
#include "messages.h"

namespace rubric::eval {
namespace {

namespace fs = std::filesystem;

struct InputsOf : testing::Test {
  InputsOf() : experiment_(example(folder_)), plan_(make_plan(experiment_, "")) {}

  RunInputs of(const std::vector<std::string>& command) {
    return inputs_of(experiment_, plan_.runs.back(), {command, {}, {}});
  }

  TemporaryFolder folder_;
  Experiment experiment_;
  Plan plan_;
};

TEST_F(InputsOf, FilesAreTheOnesListed) {
  const RunInputs inputs =
      inputs_of(experiment_, plan_.runs.back(), {{"describe"}, {folder_.file("dev.json")}, {}});
  EXPECT_EQ(inputs.files, (std::vector<fs::path>{folder_.file("dev.json")}));
  EXPECT_TRUE(inputs.models.empty());
  EXPECT_TRUE(inputs.meteor.empty());
}

// Whether or not `reads:` lists them.
TEST_F(InputsOf, FilesAreThoseThatTheCommandNamesToo) {
  const std::string rows = folder_.write("rows.jsonl", "{}");
  const std::vector<std::string> split = {"split", "--input", rows, "--output", "parts"};
  EXPECT_EQ(of(split).files, std::vector<fs::path>{rows});
  EXPECT_EQ(inputs_of(experiment_, plan_.runs.back(), {split, {rows}, {}}).files,
            std::vector<fs::path>{rows});
  EXPECT_EQ(of({"evaluate", "rev", "--pairs", "gold=" + rows}).files, std::vector<fs::path>{rows});
  const std::string own = folder_.file("runs") + "/score/set=a,seed=1/scored.jsonl";
  EXPECT_TRUE(of({"evaluate", "mocha", "--data", own, "--scores", own}).files.empty());
  fs::remove(rows);
  EXPECT_TRUE(of(split).missing_files.empty());  // split says so itself
}

TEST_F(InputsOf, AllThatIsMissingIsTold) {
  const RunInputs inputs =
      inputs_of(experiment_, plan_.runs.back(), {{"describe"}, {"no.json", "nor.json"}, {}});
  EXPECT_EQ(inputs.missing_files, (std::vector<std::string>{"no.json", "nor.json"}));
  EXPECT_EQ(missing_text(experiment_, inputs), "no.json and 1 more are missing");
  RunInputs one;
  one.missing_files = {"no.json"};
  EXPECT_EQ(missing_text(experiment_, one), "no.json is missing");
  EXPECT_EQ(missing_text(experiment_, {}), "");
  const std::string file = folder_.file("no.json");  // where {data} is
  one.missing_files = {file};
  EXPECT_EQ(missing_text(experiment_, one), file + " is missing");
  experiment_.sources["data"] = "scripts/download it";
  EXPECT_EQ(missing_text(experiment_, one), file + " is missing: scripts/download it");
}

TEST_F(InputsOf, ModelsAreTheOnesOfTheCommandThatNoStepMakes) {
  const std::string encoder = folder_.file("encoder");
  const std::string own = folder_.file("runs") + "/train/set=a,rate=1.0e-5,seed=1/model";
  const RunInputs inputs =
      of({"score", "lerc,bertscore", "--model", "lerc=" + own, "--model", "bertscore=" + encoder});
  ASSERT_EQ(inputs.models.size(), 1u);
  EXPECT_EQ(inputs.models.at(encoder),
            (std::vector<fs::path>{encoder + "/config.json", encoder + "/model.safetensors"}));
  EXPECT_TRUE(of({"score", "lerc", "--model", own}).models.empty());
  // Among the outputs, but no step's.
  folder_.write("runs/published/config.json", "{}");
  const std::string published = folder_.file("runs") + "/published";
  EXPECT_TRUE(of({"score", "lerc", "--model", published}).models.contains(published));
}

TEST_F(InputsOf, AMetricsOwnModelIsReadWhereNoneIsNamed) {
  const ContextScope scope(
      {nullptr, {}, {.shipped = folder_.path(), .fetched = {}, .programs = {}}});
  folder_.write("models/lerc-answers-small/config.json", "{}");
  const std::string own = "lerc-answers-small", other = folder_.file("encoder");
  EXPECT_TRUE(of({"score", "lerc,f1"}).models.contains(own));
  EXPECT_TRUE(
      of({"score", "lerc,bertscore", "--model", "bertscore=" + other}).models.contains(own));
  EXPECT_FALSE(of({"score", "lerc", "--model", other}).models.contains(own));
  EXPECT_FALSE(of({"score", "lerc,f1", "--model", "lerc=" + other}).models.contains(own));
  EXPECT_FALSE(of({"score", "f1"}).models.contains(own));
}

// As `score` reads it: only the name of a metric before the first "=" is one.
TEST_F(InputsOf, AModelMayHaveAnEqualsSignInItsName) {
  const std::string model = folder_.file("run=3");
  const std::string missing = "the model \"run=3\" is not on this machine";
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"score", "lerc", "--model", "run=3"},
                                             {"score", "lerc,bertscore", "--model", "lerc=run=3"},
                                             {"score", "rev", "--baseline-model", "run=3"},
                                             {"generate", "--model", "run=3"}}) {
    expect_contains(missing_text(experiment_, of(command)), missing);
  }
  expect_contains(missing_text(experiment_, of({"generate", "--model", "lerc=3"})),
                  "the model \"lerc=3\" is not on this machine");
  folder_.write("run=3/config.json", "{}");
  EXPECT_TRUE(of({"score", "lerc", "--model", model}).models.contains(model));
  EXPECT_TRUE(of({"score", "lerc", "--model", "lerc=" + model}).models.contains(model));
}

TEST_F(InputsOf, BothEvaluatorsAreRead) {
  const std::string encoder = folder_.file("encoder");
  const std::string own = folder_.file("runs") + "/train/set=a,rate=1.0e-5,seed=1/model";
  EXPECT_TRUE(
      of({"score", "rev", "--model", own, "--baseline-model", encoder}).models.contains(encoder));
}

TEST_F(InputsOf, ATrainingReadsTheModelOfItsConfiguration) {
  const std::string config =
      folder_.write("c.yaml", "model: {name: " + folder_.file("encoder") + "}\nrun: {epochs: 3}\n");
  const RunInputs inputs = of({"train", "--config", config, "--set", "run.epochs=4"});
  EXPECT_TRUE(inputs.models.contains(folder_.file("encoder")));
  expect_contains(inputs.configuration, "\n  epochs: 4\n");
}

TEST_F(InputsOf, AModelThatIsNotThereIsNamed) {
  const RunInputs inputs = of({"score", "lerc", "--model", "./none"});
  expect_contains(missing_text(experiment_, inputs), "the model \"./none\" is not on this machine");
}

}  // namespace
}  // namespace rubric::eval
