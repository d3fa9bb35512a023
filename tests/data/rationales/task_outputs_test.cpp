#include "data/rationales/task_outputs.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::task_outputs_test {

struct Parsed {
  OutputKind kind;
  const char *text, *label, *rationale;
  bool is_truncated;
};

TEST(TaskOutputs, TextsArePartedAtTheirMarks) {
  const std::vector<Parsed> all = {
      {OutputKind::xy_r, " Boats are kept there. ", "", "Boats are kept there.", false},
      {OutputKind::xy_r, "[rationale] Boats. <eos> and more", "", "Boats.", false},
      {OutputKind::xy_r, "Boats. [rationale] Boats.", "", "Boats.", true},
      {OutputKind::x_yr, "harbour [rationale] It is calm.", "harbour", "It is calm.", false},
      {OutputKind::x_yr, "[answer] harbour [rationale] Calm. <eos> ", "harbour", "Calm.", false},
      {OutputKind::x_yr, "harbour [rationale] Calm. [rationale] Deep.", "harbour", "Calm.", true},
      {OutputKind::x_ry, "It is calm. [answer] harbour", "", "It is calm.", false},
      {OutputKind::x_ry, "[rationale] Calm. [answer] a [answer] b", "", "Calm.", false},
      {OutputKind::x_ry, "Calm. [question] Why? [answer] a", "", "Calm.", true},
  };
  for (const Parsed& each : all) {
    const TaskOutput output = parse_task_output(each.kind, each.text);
    EXPECT_EQ(output.problem, "") << each.text;
    EXPECT_EQ(output.label, each.label) << each.text;
    EXPECT_EQ(output.rationale, each.rationale) << each.text;
    EXPECT_EQ(output.is_truncated, each.is_truncated) << each.text;
  }
}

TEST(TaskOutputs, WhatIsNoPairSaysWhy) {
  const auto problem = [](OutputKind kind, const char* text) {
    return parse_task_output(kind, text).problem;
  };
  for (const char* const text : {"", " ", "<eos> It is calm."}) {
    EXPECT_EQ(problem(OutputKind::xy_r, text), "the rationale is empty") << text;
  }
  EXPECT_EQ(problem(OutputKind::x_yr, "harbour [rationale] <eos>"), "the rationale is empty");
  EXPECT_EQ(problem(OutputKind::x_yr, "harbour"), "no [rationale] follows the label");
  EXPECT_EQ(problem(OutputKind::x_yr, "harbour <eos> [rationale] Calm."),
            "no [rationale] follows the label");
  EXPECT_EQ(problem(OutputKind::x_ry, "It is calm."), "there is no [answer]");
  EXPECT_EQ(problem(OutputKind::x_ry, "[answer] harbour"), "the rationale is empty");
}

TEST(TaskOutputs, ALabelMeansTheChoiceOfItsLetters) {
  const std::vector<std::string> choices = {"the Harbour", "the harbour ", "Ship  yard"};
  EXPECT_EQ(choice_meant(" the harbour", choices), "the harbour ");
  EXPECT_EQ(choice_meant("THE harbour", choices), "the Harbour");
  EXPECT_EQ(choice_meant("ship yard", choices), "Ship  yard");
  EXPECT_EQ(choice_meant("shipyard", choices), "");
  EXPECT_EQ(choice_meant("", choices), "");
}

struct ReadTaskOutputs : testing::Test {
  TaskOutputs read(OutputKind kind, const std::string& rows, const std::string& field = "generated",
                   const std::optional<InputIds>& ids = std::nullopt) const {
    return read_task_outputs(folder_.write("rows.jsonl", rows), kind, field, ids);
  }

  TemporaryFolder folder_;
};

const std::string kOutputQuestion =
    R"("question": "Where do boats lie?", "choices": ["hill", "harbour"], "gold": "harbour")";

// A row of another pair: only what is of the question stays.
const std::string kOutputRow =
    R"({"id": "a", "kept": [1.50], )" + kOutputQuestion +
    R"(, "label": "hill", "rationale": "Old.", "baseline": "Boats lie high.", )"
    R"("baseline_by": "rules", "sim_x": "hill", "sim_r": "hill", )"
    R"("sim_xr": "hill", "sim_x_likelihoods": [-1, -2], )"
    R"("scores": {"rev": 1, "rev_with": 2, "rev_without": 1, "bleu1": 0.5})";

TEST_F(ReadTaskOutputs, WhatWasOfAnotherPairGoes) {
  const std::string rest =
      R"({"id": "a", "kept": [1.50], )" + kOutputQuestion + R"(, "scores": {"bleu1": 0.5}, )";
  EXPECT_EQ(read(OutputKind::xy_r, kOutputRow + R"(, "generated": "It is calm."})").rows[0].dump(),
            rest + R"("label": "harbour", "rationale": "It is calm."})");
  EXPECT_EQ(
      read(OutputKind::x_yr, kOutputRow + R"(, "written": "HILL [rationale] High."})", "written")
          .rows[0]
          .dump(),
      rest + R"("written": "HILL [rationale] High.", "label": "hill", "rationale": "High."})");
  EXPECT_EQ(read(OutputKind::x_ry, kOutputRow + R"(, "generated": "Calm. [answer] hill"})")
                .rows[0]
                .dump(),
            rest + R"("rationale": "Calm."})");
}

// Boats lie high on a hill, says the baseline: of the gold label harbour there is none here.
TEST_F(ReadTaskOutputs, AVacuousPairIsOfTheGoldLabel) {
  const std::string begin = R"({"id": "a", )" + kOutputQuestion;
  const std::string made = R"(, "baseline": "Boats lie calm.", "baseline_by": "rules", )";
  const std::string rest = R"("rationale": "Old.", "scores": {"rev": 1}})";
  const std::string wanted =
      begin + made + R"("label": "harbour", "rationale": "Boats lie calm."})";
  EXPECT_EQ(
      read(OutputKind::vacuous, begin + made + R"("label": "harbour", )" + rest).rows[0].dump(),
      wanted);
  EXPECT_EQ(read(OutputKind::vacuous, begin + made + rest).rows[0].dump(), wanted);
  const std::string message = input_error([&] { read(OutputKind::vacuous, kOutputRow + "}"); });
  expect_contains(message,
                  R"(the baseline belongs to the label "hill", not to the gold label "harbour")");
  expect_contains(message, "rows.jsonl:1: a");
}

TEST_F(ReadTaskOutputs, WhatCannotBeParsedIsListed) {
  const std::string begin = "{" + kOutputQuestion + R"(, "generated": )";
  const TaskOutputs outputs =
      read(OutputKind::x_yr, begin + "\"harbour [rationale] Calm.\"}\n" + begin +
                                 "\"lake [rationale] Calm.\"}\n" + begin + "\"harbour\"}\n" +
                                 begin + "\"hill [rationale] High. [answer] x\"}\n");
  EXPECT_EQ(outputs.rows.size(), 2u);
  EXPECT_EQ(list_problems(outputs.set),
            (std::vector<std::string>{"the label is not among the choices (1): 2",
                                      "no [rationale] follows the label (1): 3"}));
  expect_contains(outputs.set.unusable[0].where, "rows.jsonl:2");
  EXPECT_EQ(outputs.truncated, std::vector<std::string>{"4"});
}

TEST_F(ReadTaskOutputs, BadRowsAreNamed) {
  const std::string gold = R"(, "gold": "harbour")", begin = "{\"id\": \"a\", ";
  const auto error = [&](OutputKind kind, const std::string& row) {
    return input_error([&] { read(kind, row); });
  };
  const auto without = [](std::string text, const std::string& part) {
    return text.replace(text.find(part), part.size(), "");
  };
  const std::string good = begin + kOutputQuestion + R"(, "generated": "Calm. [answer] x"})";
  EXPECT_EQ(error(OutputKind::x_ry, good), "accepted");
  for (const auto& [row, says] : std::vector<std::pair<std::string, std::string>>{
           {without(good, gold), "\"gold\" is missing"},
           {without(good, R"(, "generated": "Calm. [answer] x")"), "\"generated\" is missing"},
           {without(good, R"("question": "Where do boats lie?", )"), "there is neither a question"},
           {without(good, R"(, "harbour")"), "\"harbour\" is not among the choices"},
           {good + "\n" + good, "the id is there twice"},
           {"", "the file has no rows"}}) {
    expect_contains(error(OutputKind::x_ry, row), says);
  }
  expect_contains(error(OutputKind::x_ry, without(good, gold)), "rows.jsonl:1: a");
  expect_contains(error(OutputKind::x_yr, without(good, R"("choices": ["hill", "harbour"], )")),
                  "there are no choices");
  expect_contains(error(OutputKind::vacuous, good), "derive vacuous-rationales");
}

TEST_F(ReadTaskOutputs, PublishedOutputsAreRead) {
  const std::string question = "[question] Where do boats lie? [choice] hill [choice] harbour ";
  const auto row = [](const std::string& input, const std::string& gold, const std::string& text) {
    return R"({"input": ")" + input + R"(", "gold": ")" + gold + R"( <eos>", "predictions": [")" +
           text + R"( <eos> ", "another"]})";
  };
  const std::string begin = R"({"id": "1", )" + kOutputQuestion;
  EXPECT_EQ(read(OutputKind::x_yr, row(question + "[answer]", "harbour [rationale] Calm.",
                                       "[answer] hill [rationale] High."))
                .rows[0]
                .dump(),
            begin + R"(, "label": "hill", "rationale": "High."})");
  EXPECT_EQ(read(OutputKind::xy_r,
                 row(question + "[answer] harbour [rationale]", "Calm.", "[rationale] Deep."))
                .rows[0]
                .dump(),
            begin + R"(, "label": "harbour", "rationale": "Deep."})");
  EXPECT_EQ(read(OutputKind::x_ry, row(question + "[rationale]", "Calm. [answer] harbour",
                                       "[rationale] Deep. [answer] hill"))
                .rows[0]
                .dump(),
            begin + R"(, "rationale": "Deep."})");
  EXPECT_EQ(read(OutputKind::x_yr,
                 row("[premise] A dog swims. [hypothesis] It is wet. [answer]",
                     "entailment [rationale] Wet.", "neutral [rationale] Water is wet."))
                .rows[0]
                .dump(),
            R"({"id": "1", "premise": "A dog swims.", "hypothesis": "It is wet.", )"
            R"("choices": ["entailment", "neutral", "contradiction"], "gold": "entailment", )"
            R"("label": "neutral", "rationale": "Water is wet."})");
  const InputIds ids = {{{"Where do boats lie?", "", "", "hill", "harbour"}, {"q17"}}};
  const std::string published =
      row(question + "[answer]", "harbour [rationale] Calm.", "[answer] hill [rationale] High.");
  const TaskOutputs named = read(OutputKind::x_yr, published, "generated", ids);
  EXPECT_EQ(named.rows[0].find("id")->string(), "q17");
  EXPECT_EQ(named.set.records[0].id, "q17");
  expect_contains(
      input_error([&] { read(OutputKind::x_yr, published + "\n" + published, "generated", ids); }),
      "the id is there twice");
  // A row that is left out has its number for an id, and takes it from no other.
  std::string other = published;
  other.replace(other.find("boats"), 5, "ships");
  const InputIds numbered = {{{"Where do boats lie?", "", "", "hill", "harbour"}, {"1"}}};
  const TaskOutputs rest = read(OutputKind::x_yr, other + "\n" + published, "generated", numbered);
  ASSERT_EQ(rest.rows.size(), 1u);
  EXPECT_EQ(rest.rows[0].find("id")->string(), "1");
  expect_contains(
      input_error([&] { read(OutputKind::vacuous, kOutputRow + "}", "generated", ids); }),
      "--ids is only valid with published outputs");
  expect_contains(input_error([&] {
                    read(OutputKind::x_yr, R"({"input": "x", "gold": "y", "predictions": []})");
                  }),
                  "there is no prediction");
}

TEST(MarkedText, EndsAtItsEnd) {
  const std::vector<MarkedPart> parts = split_at_marks(" a [choice] b[choice][answer] c <eos> d");
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].text, "a");
  EXPECT_EQ(parts[1].text, "b");
  EXPECT_EQ(parts[2].text, "");
  EXPECT_EQ(parts[3].mark, "[answer]");
  EXPECT_EQ(parts[3].text, "c");
}

}  // namespace rubric::data::task_outputs_test
