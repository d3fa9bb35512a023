// `score bartscore` on the tiny BART of tests/fixtures/make_likelihood.py: texts in, the figures of
// BARTScore's own program out.
#include "measured.h"
#include "metrics/neural/likelihood_fixture.h"

namespace rubric::cli::bartscore_command_test {

struct ScoreBartScore : SequenceCommand {
  Outcome score(const std::vector<std::string>& more = {}) const {
    return run(joined({"score", "bartscore", "--model", likelihood_model("bart"), "--input",
                       file("rows.jsonl"), "--output", file("scored.out")},
                      more));
  }
  static const Json::Array& expected() {
    return likelihood_expected().require("bartscore", "").array();
  }
  static Json row_of(const Json& row, bool has_passage) {
    Json answer;
    if (has_passage) answer["passage"] = row.require("passage", "");
    answer["reference"] = row.require("reference", "");
    answer["candidate"] = row.require("candidate", "");
    return answer;
  }
  void write_fixture_rows(bool have_passages) const {
    std::vector<Json> rows;
    for (const Json& row : expected()) rows.push_back(row_of(row, have_passages));
    write_lines("rows.jsonl", rows);
  }
  static void expect_scores(const Json& scores, const Json& row) {
    const double p = row.require_number("p", ""), r = row.require_number("r", "");
    EXPECT_NEAR(scores.require_number("bartscore_p", ""), p, 1e-5);
    EXPECT_NEAR(scores.require_number("bartscore_r", ""), r, 1e-5);
    EXPECT_NEAR(scores.require_number("bartscore", ""), (p + r) / 2, 1e-5);
  }
};

TEST_F(ScoreBartScore, EqualsThePublishedProgram) {
  write_fixture_rows(true);
  const Outcome outcome = done(score());
  expect_contains(outcome.err, "bartscore|model:");
  const std::vector<Json> scored = read_lines("scored.out");
  ASSERT_EQ(scored.size(), expected().size());
  for (size_t i = 0; i < scored.size(); ++i) {
    SCOPED_TRACE(i);
    const Json& scores = scored[i].require("scores", "");
    expect_scores(scores, expected()[i]);
    EXPECT_NEAR(scores.require_number("bartscore_s", ""), expected()[i].require_number("s", ""),
                1e-5);
  }
}

TEST_F(ScoreBartScore, WithoutPassagesAndBesideOtherMetrics) {
  write_fixture_rows(false);
  done(run({"score", "f1,bartscore", "--model", likelihood_model("bart"), "--input",
            file("rows.jsonl"), "--output", file("scored.out")}));
  const std::vector<Json> scored = read_lines("scored.out");
  for (size_t i = 0; i < scored.size(); ++i) {
    const Json& scores = scored[i].require("scores", "");
    expect_scores(scores, expected()[i]);
    EXPECT_EQ(scores.find("bartscore_s"), nullptr);
    EXPECT_NE(scores.find("f1"), nullptr);
  }
}

TEST_F(ScoreBartScore, APassageThatIsMissingLeavesTheDirectionOut) {
  write_lines("rows.jsonl", {row_of(expected()[0], true), row_of(expected()[1], false)});
  const Outcome outcome = done(score());
  expect_contains(outcome.err, "1 of 2 rows lack passage: bartscore_s is left out");
  EXPECT_EQ(read_lines("scored.out").at(0).require("scores", "").find("bartscore_s"), nullptr);
}

// Row 6's reference is its candidate's own words, the others are strangers to them.
TEST_F(ScoreBartScore, OfSeveralReferencesTheBestCounts) {
  std::vector<Json> rows;
  Json all = row_of(expected()[3], false);
  Json::Array references;
  for (const size_t i : {2, 3, 4, 5}) {
    Json row = all;
    row["reference"] = expected()[i].require("reference", "");
    references.push_back(row.require("reference", ""));
    rows.push_back(row);
  }
  all["reference"] = references;
  rows.push_back(all);
  write_lines("rows.jsonl", rows);
  ASSERT_EQ(score().code, 0);
  const std::vector<Json> scored = read_lines("scored.out");
  const Json* best = nullptr;
  const auto f = [](const Json& row) {
    return row.require("scores", "").require_number("bartscore", "");
  };
  for (size_t i = 0; i < 4; ++i) {
    if (best == nullptr || f(scored[i]) > f(*best)) best = &scored[i];
  }
  for (const char* const name : {"bartscore", "bartscore_p", "bartscore_r"}) {
    EXPECT_NEAR(scored[4].require("scores", "").require_number(name, ""),
                best->require("scores", "").require_number(name, ""), 1e-6)
        << name;
  }
}

// GPT-2 reads both texts as one: "the cat" and "a dog" are no "the cata dog".
TEST_F(ScoreBartScore, ACausalModelReadsABlankBetween) {
  const std::string gpt2 = likelihood_model("gpt2");
  write_lines("rows.jsonl", {row_of(expected()[0], true)});
  write_lines("pair.jsonl", {source_target(expected()[0].require_string("reference", ""),
                                           " " + expected()[0].require_string("candidate", ""))});
  for (const auto& [metric, rows] :
       {std::pair("bartscore", "rows.jsonl"), {"likelihood", "pair.jsonl"}}) {
    const Outcome outcome = run({"score", metric, "--model", gpt2, "--input", file(rows),
                                 "--output", file(std::string(metric) + ".out")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  const auto value = [&](const char* metric, const char* name) {
    const Json row = read_lines(std::string(metric) + ".out").at(0);
    return row.require("scores", "").require_number(name, "");
  };
  EXPECT_NEAR(value("bartscore", "bartscore_p"), value("likelihood", "likelihood"), 1e-6);
}

// Two of the pairs of a record are cut, or one, or none.
TEST_F(ScoreBartScore, TheSummaryHasTheRowsThatAreCut) {
  std::string longer;
  for (int i = 0; i < 2000; ++i) longer += "bread ";
  std::vector<Json> rows(4);
  for (Json& row : rows) {
    row["passage"] = "the cat";
    row["reference"] = Json::Array{"a dog", "no bread"};
    row["candidate"] = "bread";
  }
  rows[1]["candidate"] = longer;
  rows[3]["passage"] = longer;
  write_lines("rows.jsonl", rows);
  ASSERT_EQ(score({"--summary", file("summary.json")}).code, 0);
  const Json summary = Json::parse_file(file("summary.json"));
  for (const char* const name : {"bartscore", "bartscore_s"}) {
    EXPECT_EQ(Json(recorded(summary, "truncated", name, "row")).dump(), "[1, 3]") << name;
    EXPECT_EQ(value_of(summary, "truncated", {.metric = name}), 2) << name;
  }
}

TEST_F(ScoreBartScore, AnEmptyTextHasNoProbability) {
  for (const char* const field : {"candidate", "reference"}) {
    Json row = row_of(expected()[0], true);
    row["id"] = "r7";
    row[field] = " ";
    write_lines("rows.jsonl", {row_of(expected()[1], true), row});
    expect_message(score(), 2, {"r7"});
    EXPECT_FALSE(std::filesystem::exists(file("scored.out")));
  }
}

}  // namespace rubric::cli::bartscore_command_test
