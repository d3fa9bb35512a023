// `describe` of data sets of rationales, through the command line.
#include <cstdlib>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::describe_rationales_test {

const std::string kHeader = "id,question,choice_0,choice_1,label,human_exp\n";

TEST(DescribeRationales, FilesOfOneNameAreOneSplit) {
  const TemporaryFolder folder;
  const std::string one = folder.write("one.csv", kHeader + "a,Q?,x,y,1,why y\n");
  const std::string two = folder.write("two.csv", kHeader + "b,R?,x,y,0,why not\nc,S?,x,y,0,\n");
  const Json json = printed_json(
      run({"describe", "las", "train=" + one, "train=" + two, one, "--format", "json"}));
  EXPECT_EQ(value_of(json, "examples", {.subset = "train"}), 2);
  EXPECT_EQ(value_of(json, "with_label", {.subset = "train"}), 1);
  EXPECT_EQ(value_of(json, "examples", {.subset = "one"}), 1);
  EXPECT_EQ(json.find("notes")->array().back().string(),
            "train, left out: the rationale is missing or empty (1): c");
  expect_message(run({"describe", "las", one, folder.write("x/one.csv", kHeader)}), 2,
                 {"two files are called one"});
}

TEST(DescribeRationales, ReadsRows) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("rows.jsonl",
                   R"({"question": "q", "choices": ["a", "b"], "label": "b", "rationale": "b c"})");
  const Outcome outcome = done(run({"describe", "rationales", "dev=" + file, "--format", "csv"}));
  expect_contains(outcome.out, ",dev,,,examples,1,");
  expect_message(run({"describe", "rationales", file, "--sample", "0.5"}), 2,
                 {"--sample does not go with rationales"});
  expect_message(run({"describe", "mocha", file, "--explanation", "2"}), 2,
                 {"--explanation does not go with mocha"});
}

// Table 3 of Chen et al. (2022), as far as its data are there.
TEST(DescribeRationales, CountsAsThePaper) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string cose = std::string(data) + "/cose/", esnli = std::string(data) + "/esnli/";
  const Outcome outcome = run({"describe", "cose", "train=" + cose + "v1.11/cose_train_v1.11.jsonl",
                               "test=" + cose + "v1.11/cose_dev_v1.11.jsonl", "--sample", "0.9",
                               "--rest-name", "dev", "--format", "csv"});
  for (const char* const row :
       {",,,train,,,examples,8766,", ",,,dev,,,examples,975,", ",,,test,,,examples,1221,"}) {
    expect_contains(outcome.out, row);
  }
  const Outcome all = run(
      {"describe", "cose", "train=" + cose + "v1.11/cose_train_v1.11.jsonl", "--format", "csv"});
  expect_contains(all.out, ",,,train,,,examples,9741,");
  const Outcome first = run({"describe", "cose", "train=" + cose + "v1.0/cose_train_v1.0.jsonl",
                             "dev=" + cose + "v1.0/cose_dev_v1.0.jsonl", "--questions",
                             cose + "v1.0/train_rand_split.jsonl", "--questions",
                             cose + "v1.0/dev_rand_split.jsonl", "--format", "csv"});
  for (const char* const row : {",,,train,,,examples,7610,", ",,,train,,,most_choices,3,",
                                ",choice 2,,train,,,examples,2568,", ",,,dev,,,examples,950,"}) {
    expect_contains(first.out, row);
  }
  const Outcome inference =
      run({"describe", "esnli", esnli + "dev.tsv", esnli + "test.tsv", "--format", "csv"});
  for (const char* const row :
       {",,,dev,,,examples,9842,", ",neutral,,dev,,,examples,3235,", ",,,test,,,examples,9824,"}) {
    expect_contains(inference.out, row);
  }
}

TEST(DescribeRationales, TheRestHasAName) {
  const TemporaryFolder folder;
  const std::string one = folder.write("one.csv", kHeader + "a,Q?,x,y,1,w\nb,Q?,x,y,1,w\n");
  expect_message(run({"describe", "las", one, "--sample", "0.5", "--rest-name", "one"}), 2,
                 {"a split is called one already"});
}

}  // namespace rubric::cli::describe_rationales_test
