// `derive vacuous-rationales` and `derive conversions` as a user starts them.
#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/hash.h"

namespace rubric::cli::vacuous_rationales_test {

const std::string kRows =
    R"({"id": "a", "question": "Where would a mouse hide?", "label": "wall", "kept": [1.50]}
{"id": "b", "question": "Where would a mouse hide?", "label": "shoe"}
{"id": "c", "question": "Old ____ make noise.", "label": "quarrels"}
{"id": "d", "question": "Where would a mouse hide?", "label": "wall"}
)";
const std::string kInference =
    R"({"id": "n", "premise": "A dog swims.", "hypothesis": "It is wet.", "label": "entailment"}
)";

struct DeriveVacuousRationales : testing::Test {
  Outcome derive(const std::string& rows, const std::vector<std::string>& more = {},
                 const std::string& kind = "vacuous-rationales") {
    folder_.write("rows.jsonl", rows);
    std::vector<std::string> arguments = {"derive",   kind,
                                          "--input",  folder_.file("rows.jsonl"),
                                          "--output", folder_.file("out.jsonl")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  std::string written() const { return read_file(folder_.file("out.jsonl")); }

  TemporaryFolder folder_;
};

TEST_F(DeriveVacuousRationales, ByTheAnswerInOrBehindTheQuestion) {
  const Outcome outcome = done(derive(kRows));
  EXPECT_EQ(
      written(),
      R"({"id": "a", "question": "Where would a mouse hide?", "label": "wall", "kept": [1.50], )"
      R"("baseline": "Where would a mouse hide? The answer is wall.", "baseline_by": "answer"}
{"id": "b", "question": "Where would a mouse hide?", "label": "shoe", )"
      R"("baseline": "Where would a mouse hide? The answer is shoe.", "baseline_by": "answer"}
{"id": "c", "question": "Old ____ make noise.", "label": "quarrels", )"
      R"("baseline": "Old quarrels make noise.", "baseline_by": "blank"}
{"id": "d", "question": "Where would a mouse hide?", "label": "wall", )"
      R"("baseline": "Where would a mouse hide? The answer is wall.", "baseline_by": "answer"}
)");
  expect_says(outcome.err, {"3 of 4 baselines are \"QUESTION The answer is LABEL.\"",
                            "--statements", "baselines|blank:1|answer:3|rubric:"});
}

TEST_F(DeriveVacuousRationales, ByTheTemplate) {
  const Outcome outcome = done(derive(kInference));
  expect_contains(written(),
                  R"("baseline": "A dog swims implies it is wet.", "baseline_by": "template"})");
  expect_contains(outcome.err, "baselines|template:1|");
}

TEST_F(DeriveVacuousRationales, ByStatementsInAnyOrder) {
  const std::string statements =
      R"({"question_text": "Nobody asked?", "answer_text": "x", "question_statement_text": "X."}
{"question_text": "Where would a mouse hide?", "answer_text": "shoe", "question_statement_text": "In a shoe."}
{"question_text": "Where would a mouse hide?", "answer_text": "wall", "question_statement_text": "In a wall."}
{"question_text": "A dog swims. It is wet.", "answer_text": "entailment", "question_statement_text": "Wet."}
{"question_text": "Old ____ make noise.", "answer_text": "quarrels", "question_statement_text": "Noise."}
{"question_text": "Where would a mouse hide?", "answer_text": "wall", "question_statement_text": "In a wall."}
)";
  const std::string file = folder_.file("s.predictions");
  folder_.write("s.predictions", statements);
  const Outcome outcome = done(derive(kRows + kInference, {"--statements", file}));
  for (const char* const text : {"In a wall.", "In a shoe.", "Noise.", "Wet."}) {
    expect_contains(
        written(), "\"baseline\": \"" + std::string(text) + "\", \"baseline_by\": \"statements\"}");
  }
  expect_contains(outcome.err, "baselines|statements:" + short_sha256_file(file) + "|");
  const Outcome missing = derive(kRows + R"({"id": "new", "question": "Why?", "label": "shoe"})",
                                 {"--statements", file});
  expect_message(missing, 2, {"1 of 5 rows have no statement: \"new\"", "s.predictions"});
  const Outcome inference =
      derive(R"({"id": "m", "premise": "A", "hypothesis": "B", "label": "neutral"})",
             {"--statements", file});
  expect_message(inference, 2, {"1 of 1 rows have no statement", "leave --statements out"});
  folder_.write("s.predictions",
                statements +
                    R"({"question_text": "Old ____ make noise.", "answer_text": "quarrels",)" +
                    R"( "question_statement_text": "Another."})");
  expect_message(
      derive(kRows, {"--statements", file}), 2,
      {"another statement for \"Old ____ make noise.\"", "s.predictions:7", "s.predictions:5"});
}

TEST_F(DeriveVacuousRationales, AnotherBaselineIsNotReplaced) {
  const std::string row = R"({"id": "a", "question": "Where would a mouse hide?", "label": "wall")";
  EXPECT_EQ(derive(row + R"(, "baseline": "Where would a mouse hide? The answer is wall."})").code,
            0);
  expect_message(derive(row + R"(, "baseline": "It hides."})"), 2,
                 {"another baseline already: \"It hides.\"", "rows.jsonl:1"});
}

TEST_F(DeriveVacuousRationales, BadRowsAreNamed) {
  expect_message(derive(""), 2, {"the file has no rows"});
  expect_message(derive(R"({"id": "a", "label": "x"})"), 2, {"neither a question", "rows.jsonl:1"});
  expect_message(derive(R"({"question": "Why?", "premise": "A", "hypothesis": "B", "label": "x"})"),
                 2, {"beside premise"});
  expect_message(derive(R"({"premise": "A", "label": "neutral"})"), 2, {"\"hypothesis\""});
  expect_message(derive(R"({"question": "Why?"})"), 2, {"\"label\""});
  expect_message(derive(R"({"question": " ", "label": "x"})"), 2,
                 {"\"question\" is missing or empty"});
  expect_message(derive("{\"question\": \"Why?\", \"label\": \"\u00a0\"}"), 2,
                 {"\"label\" is missing or empty"});
  expect_message(derive("{\"question\": \"Wh\xff?\", \"label\": \"x\"}"), 2, {"UTF-8"});
  expect_message(derive(R"({"premise": "A", "hypothesis": "B", "label": "maybe"})"), 2,
                 {"\"maybe\" is not a label"});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"}) << "nothing is written";
}

TEST_F(DeriveVacuousRationales, ADataSetsOwnFormatHasNoRows) {
  for (const char* const kind : {"vacuous-rationales", "conversions", "derivations"}) {
    const Outcome outcome = run({"derive", kind, "--input", folder_.write("rows.json", "{}"),
                                 "--output", folder_.file("out.jsonl")});
    expect_message(outcome, 2, {"the format mocha", "rows.json", "--input-format"});
  }
}

TEST_F(DeriveVacuousRationales, ConversionsAreEachPairOnce) {
  done(derive(kRows, {}, "conversions"));
  EXPECT_EQ(written(),
            R"({"question_text": "Where would a mouse hide?", "answer_text": "wall"}
{"question_text": "Where would a mouse hide?", "answer_text": "shoe"}
{"question_text": "Old ____ make noise.", "answer_text": "quarrels"}
)");
  expect_message(derive(kInference, {}, "conversions"), 2, {"not a question", "template"});
}

}  // namespace rubric::cli::vacuous_rationales_test
