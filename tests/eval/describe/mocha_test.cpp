#include <gtest/gtest.h>

#include "eval/describe/describe.h"
#include "eval/result/render.h"
#include "measured.h"
#include "messages.h"

namespace rubric::eval::mocha_test {

using Row = std::vector<std::string>;

// Two splits; the second has no scores and one constituent.
std::vector<SplitStatistics> two_splits() {
  data::ConstituentStatistics drop, quoref, unscored;
  drop.name = "drop";
  drop.passages = 2;
  drop.questions = 3;
  drop.candidates = 4;
  drop.passage_length = 2.46;
  drop.scores = {1, 0, 1, 1, 1};
  drop.sources = {{"x", {3, {1, 0, 0, 1, 1}}}};
  quoref.name = "quoref";
  quoref.passages = quoref.questions = quoref.candidates = quoref.unscored = 1;
  unscored.name = "drop";
  unscored.passages = unscored.questions = 5;
  unscored.candidates = unscored.unscored = 6;
  return {{"train", {drop, quoref}}, {"test", {unscored}}};
}

TEST(MochaDescription, PrintsTableTwo) {
  const auto tables = result_tables(mocha_description(two_splits()), kPrintedText);
  ASSERT_EQ(tables.size(), 2u);  // sizes, and the scores of train
  const Table& sizes = tables[0];
  EXPECT_EQ(sizes.header, (Row{"constituent", "passage", "question", "reference", "candidate",
                               "passages train", "passages test", "questions train",
                               "questions test", "candidates train", "candidates test"}));
  EXPECT_EQ(sizes.rows[0], (Row{"drop", "2.5", "0.0", "0.0", "0.0", "2", "5", "3", "5", "4", "6"}));
  EXPECT_EQ(sizes.rows[1], (Row{"quoref", "0.0", "0.0", "0.0", "0.0", "1", "", "1", "", "1", ""}));
  EXPECT_EQ(sizes.rows[2], (Row{"total", "", "", "", "", "3", "5", "4", "5", "5", "6"}));
  expect_contains(print_tables({&sizes, 1}, OutputFormat::text),
                  "No candidate of test has a human score");
}

TEST(MochaDescription, PrintsScoresByConstituentAndSource) {
  const Table scores = result_tables(mocha_description(two_splits()), kPrintedText)[1];
  EXPECT_EQ(scores.rows[0], (Row{"drop", "all", "1", "0", "1", "1", "1"}));
  EXPECT_EQ(scores.rows[1], (Row{"drop", "x", "1", "0", "0", "1", "1"}));
  expect_contains(print_tables({&scores, 1}, OutputFormat::text), "Candidates without a score: 1");
}

TEST(MochaDescription, GivesTheSameToPrograms) {
  const Json json = to_json(mocha_description(two_splits()));
  EXPECT_EQ(value_of(json, "passages", {.subset = "train"}), 3);
  const Keys drop{.group = "drop", .subset = "train"};
  EXPECT_EQ(value_of(json, "passage_length", drop), 2.46);
  EXPECT_EQ(value_of(json, "score_3", drop), 1);
  EXPECT_EQ(value_of(json, "candidates", {.group = "drop", .source = "x", .subset = "train"}), 3);
  EXPECT_EQ(value_of(json, "candidates"), 5 + 6);
  EXPECT_EQ(value_of(json, "candidates", {.group = "drop"}), 4 + 6);
}

}  // namespace rubric::eval::mocha_test
