#include <gtest/gtest.h>

#include "data/rationales/scored_rationales.h"
#include "data/reading.h"

namespace rubric::data::rationale_judgements_test {

struct ReadRationaleJudgements : Reading<read_rationale_judgements> {
  ReadRationaleJudgements() : Reading("human.csv") {}
};

TEST_F(ReadRationaleJudgements, ReadsTablesAndLines) {
  const auto table = read(
      "id,kind,justifies,amount\nq1,gold,yes,enough\nq1,gold,Yes,none\nq1,gold,no,\nq1,gold,no,"
      "some\n");
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table[0].id, "q1");
  EXPECT_EQ(table[0].kind, "gold");
  EXPECT_TRUE(table[0].justifies);
  EXPECT_EQ(table[0].amount, 3);
  EXPECT_EQ(table[1].amount, 0);
  EXPECT_FALSE(table[2].justifies);
  EXPECT_EQ(table[3].amount, 0);  // of a no it does not count
  const auto lines = read(R"({"id": 7, "kind": "x_yr", "justifies": "yes", "amount": "little"}
{"id": 7, "kind": "x_yr", "justifies": "no"})",
                          "human.jsonl");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].id, "7");
  EXPECT_EQ(lines[0].amount, 1);
  EXPECT_TRUE(lines[1].where.ends_with("human.jsonl:2"));
}

TEST_F(ReadRationaleJudgements, NamesTheLineOfWhatItCannotRead) {
  const std::string header = "id,kind,justifies,amount\n";
  expect_says(error(header + "q1,gold,maybe,\n"), {"human.csv:2", "write one of no, yes"});
  expect_contains(error(header + "q1,gold,yes,much\n"), "write one of none, little, some, enough");
  expect_contains(error(header + "q1,gold,yes,\n"), "\"amount\" is \"\"");
  expect_contains(error(header + ",gold,yes,some\n"), "\"id\" is empty");
  expect_contains(error(header + "q1,,yes,some\n"), "\"kind\" is empty");
  expect_contains(error("id,kind,amount\nq1,gold,some\n"), "\"justifies\" is missing");
  expect_contains(error(header), "the file has no rows");
  expect_contains(error("{}", "human.json"), "judgements are read as rows");
}

TEST_F(ReadRationaleJudgements, AnAnnotatorJudgesOnce) {
  const std::string header = "id,kind,annotator,justifies,amount\n";
  expect_contains(error(header + "q1,gold,ann,no,\nq1,gold,ann,yes,some\n"),
                  "the annotator \"ann\" judges id \"q1\" of gold twice");
  EXPECT_EQ(read(header + "q1,gold,ann,no,\nq1,x_yr,ann,no,\nq1,gold,bob,no,\n").size(), 3u);
}

}  // namespace rubric::data::rationale_judgements_test
