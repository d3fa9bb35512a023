// `derive rationale-pairs` as a user starts it.
#include <cstdlib>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "data/rationales/rationale_rows.h"

namespace rubric::cli::rationale_pairs_test {

const std::string kDerivedRows =
    R"({"id": "a", "question": "Where?", "choices": ["hill", "sea"], "gold": "sea", "generated": "sea [rationale] Wet."}
{"id": "b", "question": "Where?", "choices": ["hill", "sea"], "gold": "sea", "generated": "lake [rationale] Wet."}
{"id": "c", "question": "Where?", "choices": ["hill", "sea"], "gold": "sea", "generated": "hill [rationale] High. [rationale] Dry."}
)";

struct DeriveRationalePairs : testing::Test {
  DeriveRationalePairs()
      : rows_(folder_.write("rows.jsonl", kDerivedRows)), out_(folder_.file("out.jsonl")) {}

  Outcome derive(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"derive", "rationale-pairs", "--input",
                                          rows_,    "--output",        out_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  TemporaryFolder folder_;
  std::string rows_, out_;
};

TEST_F(DeriveRationalePairs, WhatIsNoPairIsRefusedOrCounted) {
  expect_message(derive({"x_yr"}), 2,
                 {"1 of 3 examples cannot be used: the label is not among the choices (1): b",
                  "rows.jsonl:2: b", "--keep-going"});
  EXPECT_FALSE(std::filesystem::exists(out_));
  const Outcome outcome = done(derive({"x_yr", "--keep-going"}));
  expect_says(outcome.err,
              {"1 of 3 rows are left out: the label is not among the choices (1): b",
               "1 rationales contain a mark that does not end them, and are cut there: c"});
  const data::RationaleRows pairs = data::read_rationales(out_);
  ASSERT_EQ(pairs.records.size(), 2u);
  EXPECT_EQ(pairs.records[1].label, "hill");
  EXPECT_EQ(pairs.records[1].rationale, "High.");
  expect_message(derive({"x_ry", "--keep-going"}), 2, {"no row can be used", "rows.jsonl"});
}

TEST_F(DeriveRationalePairs, NamesWhatIsWrong) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{}, "the kind is missing"},
      {{"x_yr", "x_ry"}, "too many arguments"},
      {{"x_y"}, "no value of the kind called \"x_y\""},
      {{"vacuous", "--text", "t"}, "--text does not go with vacuous"},
      {{"vacuous"}, "\"baseline\" is missing"},
      {{"x_yr", "--text", "t"}, "the field \"t\" is missing"},
      {{"x_yr", "--statements", rows_}, "no option --statements"}};
  for (const auto& [arguments, says] : wrong) expect_message(derive(arguments), 2, {says});
}

// The authors' outputs with the baselines that they were published with: all of what REV scores.
TEST_F(DeriveRationalePairs, ThePublishedOutputsOfRev) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string sample = std::string(data) + "/rev_ecqa_sample/test_YR_";
  done(run({"derive", "rationale-pairs", "x_yr", "--input", sample + "predictions.jsonl",
            "--output", out_}));
  const std::string whole = folder_.file("whole.jsonl");
  done(run({"derive", "vacuous-rationales", "--input", out_, "--statements",
            sample + "baselines.jsonl.predictions", "--output", whole}));
  const std::vector<data::Rationale> pairs = data::read_rationales(whole).records;
  ASSERT_EQ(pairs.size(), 5u);
  EXPECT_EQ(pairs[0].id, "1");
  EXPECT_EQ(pairs[0].choices.size(), 5u);
  EXPECT_EQ(pairs[0].label, "greedy");
  EXPECT_EQ(pairs[0].gold, "have knowledge");
  EXPECT_EQ(pairs[0].rationale,
            "A person who is in charge of a project will look for people who have greed.");
  EXPECT_EQ(pairs[0].baseline,
            "Someone who is in charge of a project will look for greedy people.");
  EXPECT_EQ(pairs[3].label, "drug store");
  EXPECT_EQ(pairs[4].gold, "interested students");
}

// Beside the data set's own rows, in one evaluation: --ids finds them by their questions.
TEST_F(DeriveRationalePairs, ThePublishedOutputsStandBesideTheirDataSet) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string sample = std::string(data) + "/rev_ecqa_sample/test";
  const std::string gold = folder_.file("gold.jsonl");
  done(run({"derive", "rationales", "ecqa", sample + ".csv", "--output", gold}));
  std::vector<std::string> arguments = {
      "derive", "rationale-pairs", "x_yr", "--input", sample + "_YR_predictions.jsonl", "--ids",
      gold,     "--output",        out_};
  expect_message(run(arguments), 2, {"no row of --ids asks this, with these choices (3): 3, 4, 5"});
  arguments.emplace_back("--keep-going");
  const Outcome derived = done(run(arguments));
  expect_contains(derived.err, "3 of 5 rows are left out");
  EXPECT_EQ(data::read_rationales(out_).records[0].id, "26f7c29d5acb341f79610f7c040412a4");
  const Outcome evaluated =
      done(run({"evaluate", "rev", "--pairs", "gold=" + gold, "x_yr=" + out_}));
  expect_contains(evaluated.out, "REV, LAS and RQ of 2 rows");
  expect_message(derive({"x_yr", "--ids", gold}), 2,
                 {"--ids is only valid with published outputs"});
}

}  // namespace rubric::cli::rationale_pairs_test
