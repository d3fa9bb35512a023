#include "data/rationales/scored_rationales.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::scored_rationales_test {

constexpr const char* kWhole =
    R"({"id": "q1", "question": "where?", "choices": ["attic", "cellar"], "label": "attic",
"gold": "cellar", "rationale": "r", "baseline": "b", "baseline_by": "rules", "sim_x": "cellar", "sim_r": "attic",
"sim_xr": "attic", "scores": {"rev": -0.25, "rev_with": 1}})";

struct ReadScoredRationales : testing::Test {
  // `rows` with line breaks for blanks, but a "|" for the end of a row.
  std::vector<ScoredRationale> read(std::string rows, Gaps gaps = Gaps::refused) {
    std::replace(rows.begin(), rows.end(), '\n', ' ');
    std::replace(rows.begin(), rows.end(), '|', '\n');
    return read_scored_rationales(folder_.write("rows.jsonl", rows), gaps);
  }
  std::string error(const std::string& rows) {
    return input_error([&] { read(rows); });
  }
  // The whole row with one text for another.
  static std::string with(const std::string& old, const std::string& text) {
    std::string row = kWhole;
    return row.replace(row.find(old), old.size(), text);
  }

  TemporaryFolder folder_;
};

TEST_F(ReadScoredRationales, ReadsAllOfARow) {
  const ScoredRationale row = read(kWhole).at(0);
  EXPECT_EQ(row.id, "q1");
  EXPECT_EQ(row.question, "where?");
  EXPECT_EQ(row.choices, (std::vector<std::string>{"attic", "cellar"}));
  EXPECT_EQ(row.label, "attic");
  EXPECT_EQ(row.gold, "cellar");
  EXPECT_EQ(row.rationale, "r");
  EXPECT_EQ(row.baseline_by, "rules");
  EXPECT_EQ(row.rev, -0.25);
  EXPECT_EQ(row.sim_x, "cellar");
  EXPECT_EQ(row.sim_r, "attic");
  EXPECT_EQ(row.sim_xr, "attic");
  EXPECT_TRUE(row.where.ends_with("rows.jsonl:1: q1"));
}

TEST_F(ReadScoredRationales, PremiseAndHypothesisStandForAQuestion) {
  const ScoredRationale row =
      read(with(R"("question": "where?")", R"("premise": "p", "hypothesis": "h")")).at(0);
  EXPECT_EQ(row.premise, "p");
  EXPECT_EQ(row.hypothesis, "h");
  expect_contains(error(with(R"("question": "where?")", R"("premise": "p")")),
                  "the hypothesis is missing");
  expect_contains(error(with(R"("question": "where?",)", "")), "there is neither a question");
}

TEST_F(ReadScoredRationales, NamesWhatIsNotAmongTheChoices) {
  for (const char* const field : {"label", "gold", "sim_x", "sim_r", "sim_xr"}) {
    std::string row = kWhole;
    const size_t value = row.find(": \"", row.find("\"" + std::string(field) + "\"")) + 3;
    row.insert(value, "un");
    const std::string message = error(row);
    expect_says(message, {std::string(field) + " \"un", "is not among the choices",
                          "rows.jsonl:1: q1", "\"attic\", \"cellar\""});
  }
}

TEST_F(ReadScoredRationales, RefusesScoresThatAreNoFiniteNumbers) {
  expect_contains(error(with("-0.25", "\"0.5\"")), "scores.rev must be a finite number");
  expect_contains(error(with("-0.25", "true")), "scores.rev must be a finite number");
  EXPECT_NE(error(with("-0.25", "1e999")), "accepted");
  EXPECT_NE(error(with("-0.25", "NaN")), "accepted");
  expect_contains(error(with(R"({"rev": -0.25, "rev_with": 1})", "3")), "must be an object");
}

TEST_F(ReadScoredRationales, NullAndNoFieldAreNoScore) {
  EXPECT_FALSE(read(with("-0.25", "null")).at(0).rev);
  EXPECT_FALSE(read(with(R"("rev": -0.25,)", "")).at(0).rev);
  EXPECT_EQ(read(with(R"("sim_r": "attic",)", "")).at(0).sim_r, "");
  EXPECT_EQ(read(with(R"("gold": "cellar")", R"("gold": null)")).at(0).gold, "");
}

TEST_F(ReadScoredRationales, WhatSomeRowsLackIsAnError) {
  const std::string second = with("\"q1\"", "\"q2\"");
  const auto message = [&](const std::string& old, const std::string& text) {
    return error(with(old, text) + "|" + second);
  };
  expect_says(message("-0.25", "null"), {"1 of 2 rows have no scores.rev", "rows.jsonl:1: q1"});
  expect_contains(message(R"("sim_x": "cellar",)", ""), "1 of 2 rows have no sim_x");
  expect_contains(message(R"("sim_r": "attic",)", ""), "1 of 2 rows have no sim_r");
  expect_contains(message(R"("sim_xr": "attic",)", ""), "1 of 2 rows have no sim_xr");
  expect_contains(message(R"("gold": "cellar",)", ""), "1 of 2 rows have no gold");
}

TEST_F(ReadScoredRationales, GapsCanBeKeptAndTakenOut) {
  const std::string rows = with("-0.25", "null") + "|" + with("\"q1\"", "\"q2\"");
  std::vector<ScoredRationale> gaps = read(rows, Gaps::kept);
  ASSERT_EQ(gaps.size(), 2u);
  take_out_gaps(gaps);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].id, "q2");
  std::vector<ScoredRationale> unscored = read(with("-0.25", "null"), Gaps::kept);
  take_out_gaps(unscored);
  EXPECT_EQ(unscored.size(), 1u) << "what no row has, none lacks";
}

// What `score rev --keep-going` could not score, it writes as it was.
TEST_F(ReadScoredRationales, UnscoredRowsThatCannotBeReadAreGapsToo) {
  const std::string empty = with(R"("rationale": "r")", R"("rationale": "")");
  std::string unscored = std::string(empty).replace(empty.find("-0.25"), 5, "null");
  unscored.replace(unscored.find("\"q1\""), 4, "\"q2\"");
  const std::string twice = with("-0.25", "null");  // the id of the first row
  std::vector<ScoredRationale> rows =
      read(std::string(kWhole) + "|" + unscored + "|" + twice, Gaps::kept);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].id, "q2");
  EXPECT_EQ(rows[2].id, folder_.file("rows.jsonl") + ":3");
  take_out_gaps(rows);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].id, "q1");
  // With a score it is no gap but an error.
  expect_contains(input_error([&] { read(std::string(kWhole) + "|" + empty, Gaps::kept); }),
                  "the rationale is missing or empty");
}

TEST_F(ReadScoredRationales, RefusesRowsThatAreNotWhole) {
  expect_contains(error(std::string(kWhole) + "|" + kWhole), "the id \"q1\" occurs twice");
  expect_contains(error(std::string(kWhole) + "|" + kWhole), "rows.jsonl:1 and ");
  expect_contains(error(with(R"("rationale": "r")", R"("rationale": " ")")),
                  "the rationale is missing or empty");
  expect_contains(error(with(R"("rationale": "r",)", "")), "the rationale is missing or empty");
  EXPECT_EQ(read(with("\"q1\"", "\"\"")).at(0).id, "1") << "the row's number";
  expect_contains(error(with(R"("label": "attic",)", "")), "the label is missing");
  expect_contains(error(with("[\"attic\", \"cellar\"]", "[]")), "there are no choices");
  expect_contains(error(with("[\"attic\", \"cellar\"]", "[\"attic\", \"attic\", \"cellar\"]")),
                  "the choice \"attic\" occurs twice");
  expect_contains(error(with("[\"attic\", \"cellar\"]", "[\"attic\", 1]")), "lists a number");
  expect_contains(error(""), "the file has no rows");
}

}  // namespace rubric::data::scored_rationales_test
