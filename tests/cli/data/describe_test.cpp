// rubric describe, through the command line.
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli {
namespace {

const std::string kTrain = "samples/mocha/train.json", kTest = "samples/mocha/test.json";

TEST(Describe, PrintsSizesAndScores) {
  const Outcome outcome = run({"describe", "mocha", kTrain, kTest});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.out, "candidates train");
  expect_contains(outcome.out, "Candidates by human score: test");
}

TEST(Describe, GivesSeveralFormatsAtOnce) {
  const Outcome several = run({"describe", "mocha", kTest, "--format", "csv,json"});
  ASSERT_EQ(several.code, 0) << several.err;
  const Json all = Json::parse(several.out, "stdout");
  EXPECT_EQ(all.object().size(), 2u);
  for (const std::string format : {"csv", "json"}) {
    EXPECT_EQ(all.require_string(format, "stdout"),
              run({"describe", "mocha", kTest, "--format", format}).out);
  }
  expect_message(run({"describe", "mocha", kTest, "--format", "csv,jsn"}), 2,
                 {"there is no format called \"jsn\""});
}

TEST(Describe, GivesEveryFigureAsJson) {
  const Outcome outcome = run({"describe", "mocha", kTrain, kTest, "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out, "stdout");
  const auto figure = [&](const std::string& pointer) {
    return at_pointer(json, pointer, "stdout").number();
  };
  EXPECT_EQ(figure("/splits/train/constituents/quoref/candidates"), 52);  // samples/README.md
  EXPECT_EQ(figure("/splits/test/constituents/cosmosqa/candidates"), 17);
  EXPECT_EQ(figure("/splits/train/total/candidates"), 50 + 51 + 51 + 50 + 50 + 52);
  EXPECT_EQ(figure("/splits/train/constituents/quoref/scores/5"), 11);
  EXPECT_EQ(figure("/splits/train/constituents/drop/sources/tallier/candidates"), 25);
}

TEST(Describe, PrintsAFigureARowAsCsv) {
  const Outcome outcome = run({"describe", "mocha", kTrain, "--format", "csv"});
  EXPECT_EQ(outcome.code, 0);
  expect_contains(outcome.out, "split,constituent,source,figure,value\n");
  expect_contains(outcome.out, "train,quoref,,candidates,52\n");
}

TEST(Describe, ReadsRows) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("mine.csv", "constituent,id,reference,candidate,score\na,1,r,c,5\na,2,r,c,1\n");
  const Outcome outcome = run({"describe", "mocha", file, "--format", "csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.out, "mine,a,,candidates,2\n");
  expect_message(run({"describe", "mocha", folder.write("none.csv", "reference,candidate\nr,c\n")}),
                 2, {"the row names no constituent"});
}

TEST(Describe, CountsNoPassageWhereThereIsNone) {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.csv", "constituent,reference,candidate\na,r,c\n");
  expect_contains(run({"describe", "mocha", file, "--format", "csv"}).out, "mine,a,,passages,0\n");
}

TEST(Describe, CountsDerivations) {
  const std::string gold = std::string(fixtures_folder()) + "/r4c/gold.json";
  const Outcome outcome = run({"describe", "r4c", gold, "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, int64_t> steps;
  const Json questions = Json::parse_file(gold);
  for (const auto& [id, derivations] : questions.object()) {
    for (const Json& derivation : derivations.array()) {
      const size_t size = derivation.array().size();
      ++steps[size == 1  ? "derivations of 1 step"
              : size < 4 ? "derivations of " + std::to_string(size) + " steps"
                         : "derivations of 4 steps and more"];
    }
  }
  const Json json = Json::parse(outcome.out, "stdout");
  for (const auto& [size, count] : steps) {
    EXPECT_EQ(json.find("splits")->find("gold")->find(size)->number(), count);
  }
  EXPECT_EQ(json.find("total")->find("questions")->number(), questions.object().size());
}

// Table 1 of Inoue et al. (2020).
TEST(Describe, CountsR4cAsItsPaper) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string folder = std::string(data) + "/r4c";
  const Outcome outcome =
      run({"describe", "r4c", folder + "/train.json", folder + "/dev_csf.json"});
  expect_contains(outcome.out, "train         2379     4944     1553        640         7137");
  expect_contains(outcome.out, "dev_csf       2209     4424     1599        604         6627");
  expect_contains(outcome.out, "total         4588     9368     3152       1244        13764");
}

TEST(Describe, RefusesWhatItCannotRead) {
  expect_message(run({"describe"}), 2, {"no format is named"});
  expect_message(run({"describe", "moca", kTrain}), 2, {"did you mean mocha?"});
  expect_message(run({"describe", "mocha"}), 2, {"no file is named"});
  expect_message(run({"describe", "mocha", kTrain, kTrain}), 2, {"two files are called train"});
  expect_message(run({"describe", "mocha", "no.json"}), 2, {"no.json"});
}

}  // namespace
}  // namespace rubric::cli
