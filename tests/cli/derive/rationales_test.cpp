// `derive rationales` as a user starts it.
#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "data/rationales/rationale_rows.h"

namespace rubric::cli::rationales_test {

struct DeriveRationales : testing::Test {
  DeriveRationales() {
    std::string questions, explanations;
    for (int i = 0; i < 20; ++i) {
      const std::string id = R"({"id": "q)" + std::to_string(i) + "\", ";
      questions += id + R"("answerKey": "B", "question": {"stem": "Where?", "choices": )"
                        R"([{"label": "A", "text": "hill"}, {"label": "B", "text": "harbour"}]}})"
                        "\n";
      explanations +=
          id + R"("explanation": {"open-ended": "It is calm.", "selected": "x"}})" + "\n";
    }
    questions_ = folder_.write("cqa.jsonl", questions);
    cose_ = folder_.write("cose.jsonl", explanations);
    rows_ = folder_.file("rows.jsonl");
  }
  Outcome derive(const std::vector<std::string>& arguments) const {
    return run(joined({"derive", "rationales", "--output", rows_}, arguments));
  }

  TemporaryFolder folder_;
  std::string questions_, cose_, rows_;
};

TEST_F(DeriveRationales, WritesRows) {
  done(derive({"cose", cose_, "--questions", questions_}));
  const data::RationaleRows whole = data::read_rationales(rows_);
  ASSERT_EQ(whole.rows.size(), 20u);
  EXPECT_EQ(whole.rows[0].dump(),
            R"({"id": "q0", "question": "Where?", "choices": ["hill", "harbour"], )"
            R"("label": "harbour", "gold": "harbour", "rationale": "It is calm."})");
}

TEST_F(DeriveRationales, DrawsASample) {
  const std::string rest = folder_.file("rest.jsonl");
  ASSERT_EQ(derive({"cose", cose_, "--questions", questions_, "--sample", "0.74", "--rest", rest,
                    "--seed", "2"})
                .code,
            0);
  EXPECT_EQ(data::read_rationales(rows_).rows.size(), 14u);
  EXPECT_EQ(data::read_rationales(rest).rows.size(), 6u);
  expect_message(derive({"cose", cose_, "--questions", questions_, "--sample", "0.01"}), 2,
                 {"the sample of 20 examples is empty"});
}

TEST_F(DeriveRationales, WhatCannotBeUsedIsRefusedOrCounted) {
  const std::string other = folder_.write(
      "other.jsonl", R"({"id": "q20", "explanation": {"open-ended": "x", "selected": "y"}})");
  expect_message(derive({"cose", cose_, other, "--questions", questions_}), 2,
                 {"1 of 21 examples cannot be used: no question has the id", "(1): q20",
                  "other.jsonl:1: q20", "--keep-going"});
  EXPECT_FALSE(std::filesystem::exists(rows_));
  const Outcome outcome =
      done(derive({"cose", cose_, other, "--questions", questions_, "--keep-going"}));
  expect_contains(outcome.err, "1 examples are left out: no question has the id");
  EXPECT_EQ(data::read_rationales(rows_).rows.size(), 20u);
  expect_message(derive({"cose", other, "--questions", questions_, "--keep-going"}), 2,
                 {"no example can be used", "other.jsonl"});
}

TEST_F(DeriveRationales, NamesWhatIsWrong) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{}, "the data-set is missing"},
      {{"coze", cose_}, "did you mean cose?"},
      {{"cose"}, "no file is named"},
      {{"cose", cose_}, "--questions is missing"},
      {{"ecqa", cose_, "--questions", questions_}, "--questions does not go with ecqa"},
      {{"ecqa", cose_, "--explanation", "2"}, "--explanation does not go with ecqa"},
      {{"esnli", cose_, "--explanation", "4"}, "no value of --explanation called \"4\""},
      {{"esnli", cose_, "--explanation", "all", "--sample", "0.1"}, "would separate explanations"},
      {{"ecqa", cose_, "--sample", "1"}, "above 0 and below 1"},
      {{"ecqa", cose_, "--sample", "0"}, "above 0 and below 1"},
      {{"ecqa", cose_, "--sample", "much"}, "\"much\" is not a number"},
      {{"ecqa", cose_, "--rest", "r.jsonl"}, "--rest is only valid with --sample"},
      {{"ecqa", cose_, "--seed", "3"}, "--seed is only valid with --sample"},
      {{"ecqa", cose_, "--sample", "0.1", "--rest", rows_}, "--rest"},
      {{"ecqa", rows_}, "--output"},
      {{"ecqa", cose_, "--text", "x"}, "no option --text"}};
  for (const auto& [arguments, message] : wrong) expect_message(derive(arguments), 2, {message});
  expect_message(run({"derive", "r4c-pairs", "extra", "--hotpotqa", "x", "--output", rows_}), 2,
                 {"too many arguments"});
  expect_message(run({"derive", "r4c-pairs", "--hotpotqa", "x", "--keep-going", "--output", rows_}),
                 2, {"no option --keep-going"});
}

}  // namespace rubric::cli::rationales_test
