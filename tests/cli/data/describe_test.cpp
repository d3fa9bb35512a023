// rubric describe, through the command line.
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::describe_test {

const std::string kTrain = "samples/mocha/train.json", kTest = "samples/mocha/test.json";

TEST(Describe, PrintsSizesAndScores) {
  const Outcome outcome = done(run({"describe", "mocha", kTrain, kTest}));
  expect_says(outcome.out, {"candidates train", "Candidates by human score: test"});
}

TEST(Describe, GivesSeveralFormatsAtOnce) {
  const Json all = printed_json(run({"describe", "mocha", kTest, "--format", "csv,json"}));
  EXPECT_EQ(all.object().size(), 2u);
  for (const std::string format : {"csv", "json"}) {
    EXPECT_EQ(all.require_string(format, "stdout"),
              run({"describe", "mocha", kTest, "--format", format}).out);
  }
  expect_message(run({"describe", "mocha", kTest, "--format", "csv,jsn"}), 2,
                 {"no value of --format called \"jsn\""});
}

TEST(Describe, GivesEveryMeasurement) {
  const Json json = printed_json(run({"describe", "mocha", kTrain, kTest, "--format", "json"}));
  const auto candidates = [&](const Keys& keys) { return value_of(json, "candidates", keys); };
  EXPECT_EQ(candidates({.group = "quoref", .subset = "train"}), 52);  // samples/README.md
  EXPECT_EQ(candidates({.group = "cosmosqa", .subset = "test"}), 17);
  EXPECT_EQ(candidates({.subset = "train"}), 50 + 51 + 51 + 50 + 50 + 52);
  EXPECT_EQ(value_of(json, "score_5", {.group = "quoref", .subset = "train"}), 11);
  EXPECT_EQ(candidates({.group = "drop", .source = "tallier", .subset = "train"}), 25);
}

TEST(Describe, ReadsRows) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("mine.csv", "constituent,id,reference,candidate,score\na,1,r,c,5\na,2,r,c,1\n");
  const Outcome outcome = done(run({"describe", "mocha", file, "--format", "csv"}));
  expect_contains(outcome.out, ",a,,mine,,,candidates,2,");
  expect_message(run({"describe", "mocha", folder.write("none.csv", "reference,candidate\nr,c\n")}),
                 2, {"the row names no constituent"});
}

TEST(Describe, CountsNoPassageWhereThereIsNone) {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.csv", "constituent,reference,candidate\na,r,c\n");
  expect_contains(run({"describe", "mocha", file, "--format", "csv"}).out,
                  ",a,,mine,,,passages,0,");
}

TEST(Describe, CountsDerivations) {
  const std::string gold = std::string(fixtures_folder()) + "/r4c/gold.json";
  const Outcome outcome = done(run({"describe", "r4c", gold, "--format", "json"}));
  std::map<std::string, int64_t> steps;
  const Json questions = Json::parse_file(gold);
  for (const auto& [id, derivations] : questions.object()) {
    for (const Json& derivation : derivations.array()) {
      const size_t size = derivation.array().size();
      ++steps[size < 4 ? "steps_" + std::to_string(size) : "steps_4_or_more"];
    }
  }
  const Json json = Json::parse(outcome.out, "stdout");
  for (const auto& [size, count] : steps) {
    EXPECT_EQ(value_of(json, size, {.subset = "gold"}), count);
  }
  EXPECT_EQ(value_of(json, "questions", {.subset = "gold"}), questions.object().size());
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
  expect_message(run({"describe"}), 2, {"the data-set is missing"});
  expect_message(run({"describe", "moca", kTrain}), 2, {"did you mean mocha?"});
  expect_message(run({"describe", "mocha"}), 2, {"no file is named"});
  expect_message(run({"describe", "mocha", kTrain, kTrain}), 2, {"two files are called train"});
  expect_message(run({"describe", "mocha", "no.json"}), 2, {"no.json"});
}

}  // namespace rubric::cli::describe_test
