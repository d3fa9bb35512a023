// `score rev` on the tiny evaluators of tests/fixtures/make_rev.py.
#include "neural_metrics/likelihood_fixture.h"

namespace rubric {
namespace {

class ScoreRev : public SequenceCommand {
 protected:
  ScoreRev() {
    Json row = Json::Object{{"id", "a"},
                            {"question", "Where?"},
                            {"label", "attic"},
                            {"rationale", "r"},
                            {"baseline", "In the attic."}};
    Json bad = row;
    bad["id"] = "b";
    bad["rationale"] = " ";
    bad["scores"] = Json::Object{{"rev", 7}, {"f1", 1}};
    write_lines("rows.jsonl", {row, bad});
  }
  Outcome score(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> call = {"score",    "rev",
                                     "--model",  std::string(RUBRIC_FIXTURES) + "/rev/t5_v1_0",
                                     "--input",  file("rows.jsonl"),
                                     "--output", file("out.jsonl")};
    call.insert(call.end(), more.begin(), more.end());
    return run(call);
  }
};

TEST_F(ScoreRev, ARowThatCannotBeScoredEndsTheCall) {
  expect_message(score(), 2, {"the rationale is missing or empty", file("rows.jsonl") + ":2: b"});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
}

// Nor does it keep what an earlier call gave it.
TEST_F(ScoreRev, OrIsLeftWithoutScoresAndCounted) {
  const Outcome outcome = score({"--keep-going"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.err, "|not_scored:1/2");
  expect_contains(outcome.err, "rows.jsonl:2: b");
  const std::vector<Json> rows = read_lines("out.jsonl");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NE(rows[0].require("scores", "").find("rev"), nullptr);
  EXPECT_EQ(rows[1].require("scores", "").dump(), "{\"f1\": 1}");
}

}  // namespace
}  // namespace rubric
