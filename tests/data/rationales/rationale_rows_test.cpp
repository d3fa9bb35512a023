#include "data/rationales/rationale_rows.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::rationale_rows_test {

const std::string kQuestion =
    R"({"id": "a", "question": "Where do boats rest?", "choices": ["harbour", "hill"], )"
    R"("label": "hill", "gold": "harbour", "rationale": "Boats lie high.", )"
    R"("baseline": "Boats rest on a hill.", "sim_x": "hill"})";
const std::string kInference =
    R"({"id": 7, "premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment", )"
    R"("rationale": "Rain wets."})";

struct RationaleRowsFile : testing::Test {
  RationaleRows read(const std::string& text) const {
    return read_rationales(folder_.write("rows.jsonl", text));
  }
  void expect_refused(const std::string& from, const std::string& to, const std::string& problem,
                      const std::string& row = kQuestion) const {
    std::string changed = row;
    changed.replace(changed.find(from), from.size(), to);
    const std::string message = input_error([&] { read("\n" + changed + "\n"); });
    expect_says(message, {problem, folder_.file("rows.jsonl") + ":2"});
  }

  TemporaryFolder folder_;
};

TEST_F(RationaleRowsFile, GivesRecordsAndKeepsTheRows) {
  const RationaleRows whole = read(kQuestion + "\n" + kInference + "\n");
  ASSERT_EQ(whole.records.size(), 2u);
  const Rationale& first = whole.records[0];
  EXPECT_EQ(first.id, "a");
  EXPECT_EQ(first.question, "Where do boats rest?");
  EXPECT_EQ(first.choices, (std::vector<std::string>{"harbour", "hill"}));
  EXPECT_EQ(first.label, "hill");
  EXPECT_EQ(first.gold, "harbour");
  EXPECT_EQ(first.rationale, "Boats lie high.");
  EXPECT_EQ(first.baseline, "Boats rest on a hill.");
  EXPECT_EQ(whole.rows[0].find("sim_x")->string(), "hill");
  const Rationale& second = whole.records[1];
  EXPECT_EQ(second.id, "7");
  EXPECT_EQ(second.premise, "It rains.");
  EXPECT_EQ(second.hypothesis, "It is wet.");
  EXPECT_EQ(second.gold, "");
  EXPECT_TRUE(second.choices.empty());
  EXPECT_EQ(whole.places[1], folder_.file("rows.jsonl") + ":2: 7");
}

TEST_F(RationaleRowsFile, WritesWhatItReads) {
  for (const std::string& text : {kQuestion, kInference}) {
    const Rationale record = read(text).records[0];
    const Json row = rationale_row(record);
    const Rationale again = read(row.dump()).records[0];
    EXPECT_EQ(rationale_row(again).dump(), row.dump());
    EXPECT_EQ(again.id, record.id);
    EXPECT_EQ(again.choices, record.choices);
    EXPECT_EQ(again.rationale, record.rationale);
  }
  EXPECT_EQ(rationale_row(read(kInference).records[0]).dump(),
            R"({"id": "7", "premise": "It rains.", "hypothesis": "It is wet.", )"
            R"("label": "entailment", "rationale": "Rain wets."})");
}

TEST_F(RationaleRowsFile, CountsWhereThereIsNoId) {
  const std::string without = kInference.substr(0, 1) + kInference.substr(9);
  const RationaleRows whole = read(kQuestion + "\n\n" + without);
  EXPECT_EQ(whole.records[1].id, "2");
}

TEST_F(RationaleRowsFile, OfAnotherKindAreToldWhatTheseHave) {
  const auto error = [&](const std::string& row) { return input_error([&] { read(row); }); };
  expect_contains(error(R"({"question": "q", "reference": "r", "candidate": "c"})"),
                  "rows of rationales have a question");
  expect_contains(error(R"({"question": "q", "rationale": "r"})"), "correct the row");
}

TEST_F(RationaleRowsFile, RefusesARecordWithAProblem) {
  expect_refused("\"question\"", "\"q\"",
                 "there is neither a question nor a premise and a hypothesis");
  expect_refused("\"sim_x\"", "\"premise\"", "there is a question beside premise and hypothesis");
  expect_refused("\"premise\"", "\"p\"", "the premise is missing or empty", kInference);
  expect_refused("It is wet.", " ", "the hypothesis is missing or empty", kInference);
  expect_refused("\"label\"", "\"l\"", "the label is missing or empty");
  expect_refused("Boats lie high.", " \\t\\n", "the rationale is missing or empty");
  expect_refused("\"rationale\"", "\"r\"", "the rationale is missing or empty");
  expect_refused("\"label\": \"hill\"", "\"label\": \"Hill\"",
                 R"(the label "Hill" is not among the choices "harbour", "hill")");
  expect_refused("\"gold\": \"harbour\"", "\"gold\": \"sea\"",
                 R"(the gold "sea" is not among the choices)");
  expect_refused("\"hill\"]", "\"\"]", "a choice is empty");
  expect_refused("\"hill\"]", "\"hill\", \"harbour\"]", "the choice \"harbour\" occurs twice");
  expect_refused("\"hill\"]", "3]", "the field \"choices\" lists a number");
  expect_refused("[\"harbour\", \"hill\"]", "\"hill\"", "\"choices\"");
  expect_refused("\"Boats lie high.\"", "[]", "the field \"rationale\" must be a string");
}

TEST_F(RationaleRowsFile, RefusesAFileThatCannotBeJudged) {
  EXPECT_EQ(input_error([&] { read(kQuestion + "\n" + kQuestion); }),
            error_lines("the id is there twice", folder_.file("rows.jsonl") + ":2: a",
                        "give each row an id of its own"));
  expect_contains(input_error([&] { read("\n"); }), "the file has no rows");
  expect_contains(input_error([&] { read("{\"id\": \"\xFF\"}"); }), "rows.jsonl:1");
  const auto scorable = [](const std::string& row) {
    return rationale_of(Json::parse(row, "row"), 1, "rows.jsonl:1", Baselines::required);
  };
  EXPECT_EQ(scorable(kQuestion).id, "a");
  EXPECT_EQ(input_error([&] { scorable(kInference); }),
            error_lines("the baseline rationale is missing or empty", "rows.jsonl:1: 7",
                        "make it with `rubric derive vacuous-rationales`"));
}

}  // namespace rubric::data::rationale_rows_test
