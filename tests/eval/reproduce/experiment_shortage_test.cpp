#include <gtest/gtest.h>

#include "eval/reproduce/experiment_example.h"
#include "eval/reproduce/plan.h"
#include "messages.h"

namespace rubric::eval::experiment_shortage_test {

namespace fs = std::filesystem;

struct FindShortage : testing::Test {
  // Of the runs, by name, of which nothing is of use.
  std::vector<std::string> of_no_use(const std::string& only) {
    const Plan plan = make_plan(experiment_, only);
    const MissingInputs shortage = find_missing_inputs(experiment_, plan);
    std::vector<std::string> names;
    for (size_t i = 0; i < plan.runs.size(); ++i) {
      if (!shortage.of_no_use[i].empty()) names.push_back(plan.runs[i].name);
    }
    return names;
  }

  TemporaryFolder folder_;
  Experiment experiment_ = example(folder_);
};

TEST_F(FindShortage, NothingIsMissing) {
  EXPECT_TRUE(find_missing_inputs(experiment_, make_plan(experiment_, "")).missing.empty());
  EXPECT_TRUE(of_no_use("").empty());
}

TEST_F(FindShortage, ListsEachOnceWithItsSource) {
  experiment_.sources["data"] = "scripts/download it";
  for (const char* const file : {"train.json", "dev.json", "encoder/config.json"}) {
    fs::remove(folder_.path() / file);
  }
  const MissingInputs shortage = find_missing_inputs(experiment_, make_plan(experiment_, ""));
  ASSERT_EQ(shortage.missing.size(), 2u);
  EXPECT_EQ(shortage.missing[0],
            folder_.file("train.json") + ", " + folder_.file("dev.json") + ": scripts/download it");
  expect_contains(shortage.missing[1], "encoder\" holds no model");
}

// The column B alone reads a file that is not there: what A shares with no B stays of use.
TEST_F(FindShortage, ACellThatCanBeMeasuredKeepsWhatItNeeds) {
  folder_.write("a.json", "{}");
  experiment_ = example(folder_, replaced(kExampleSteps, "{data}/dev.json", "{data}/{set}.json"));
  EXPECT_EQ(of_no_use("size").size(), 0u);
  const std::vector<std::string> names = of_no_use("");
  ASSERT_EQ(names.size(), 8u);  // of set b: four trainings, two scores, two evaluations
  for (const std::string& name : names) expect_contains(name, "set=b");
}

TEST_F(FindShortage, WhatIsAskedForByNameIsOfUse) {
  fs::remove(folder_.path() / "dev.json");
  EXPECT_EQ(of_no_use("train").size(), 0u);
  EXPECT_EQ(of_no_use("score").size(), 12u);
}

}  // namespace rubric::eval::experiment_shortage_test
