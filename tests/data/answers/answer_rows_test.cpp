#include "data/answers/answer_rows.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "data/answers/predicted_answers.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::answer_rows_test {

struct AnswerRowsFile : testing::Test {
  std::vector<Answer> read(const std::string& name, const std::string& text,
                           const FieldNames& names = {}) const {
    const auto file = folder_.write(name, text);
    return read_answers(file, input_format("", file), names);
  }
  std::string error(const std::string& name, const std::string& text,
                    const FieldNames& names = {}) const {
    return input_error([&] { read(name, text, names); });
  }

  TemporaryFolder folder_;
};

// The same two answers in every format of rows.
TEST_F(AnswerRowsFile, FormatsGiveTheSameAnswers) {
  const std::string csv =
      "id,score,constituent,question,reference,candidate\n"
      "a,4.5,drop,\"why, then?\",r,c\nb,,,q,s,d\n";
  const std::string tsv =
      "candidate\tid\tscore\tquestion\treference\tconstituent\n"
      "c\ta\t4.5\twhy, then?\tr\tdrop\nd\tb\t\tq\ts\t\n";
  const std::string jsonl =
      R"({"id": "a", "constituent": "drop", "question": "why, then?", "reference": "r", )"
      R"("candidate": "c", "score": 4.5})"
      "\n"
      R"({"id": "b", "score": null, "question": "q", "reference": "s", "candidate": "d"})";
  for (const auto& [name, text] :
       {std::pair("rows.csv", csv), {"rows.tsv", tsv}, {"rows.jsonl", jsonl}}) {
    const std::vector<Answer> answers = read(name, text);
    ASSERT_EQ(answers.size(), 2u) << name;
    EXPECT_EQ(answers[0].id, "a");
    EXPECT_EQ(answers[0].constituent, "drop");
    EXPECT_EQ(answers[0].question, "why, then?");
    EXPECT_EQ(answers[0].references, std::vector<std::string>{"r"});
    EXPECT_EQ(answers[0].candidate, "c");
    EXPECT_EQ(answers[0].score, 4.5);
    EXPECT_EQ(answers[1].constituent, "");
    EXPECT_EQ(answers[1].score, std::nullopt) << name;
  }
}

TEST_F(AnswerRowsFile, ScoresMayHaveAnotherNameAndAnyRange) {
  const std::string csv = "reference,candidate, human,score\nr,c, -2e1,very good\n";
  const std::vector<Answer> answers = read("rows.csv", csv, {{"score", "human"}});
  EXPECT_EQ(answers[0].score, -20);
  EXPECT_EQ(answers[0].id, "1");
}

TEST_F(AnswerRowsFile, MetadataIsItsOwners) {
  const std::string row = R"({"reference": "r", "candidate": "c", "metadata": )";
  for (const char* metadata : {R"({"scores": {"gpt4": 0.3}})", R"({"scores": null})", "\"x\""}) {
    EXPECT_EQ(error("rows.jsonl", row + metadata + "}"), "accepted");
  }
}

TEST_F(AnswerRowsFile, ABlankLabelIsNone) {
  EXPECT_EQ(read("rows.csv", "reference,candidate,score\nr,c, \n")[0].score, std::nullopt);
}

TEST_F(AnswerRowsFile, LabelsMayBeWords) {
  const std::vector<std::pair<std::string, double>> labels = {
      {"True", 1}, {"False", 0}, {"yes", 1},     {"NO", 0},        {"right", 1}, {"wrong", 0},
      {"1", 1},    {"0", 0},     {"Correct", 1}, {"incorrect", 0}, {" true ", 1}};
  std::string table = "reference,candidate,score\n", lines;
  for (const auto& [text, value] : labels) {
    table += "r,c," + text + "\n";
    lines += R"({"reference": "r", "candidate": "c", "score": ")" + text + "\"}\n";
  }
  lines += R"({"reference": "r", "candidate": "c", "score": true})";
  const std::vector<Answer> of_table = read("rows.csv", table), of_lines = read("r.jsonl", lines);
  for (size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(of_table[i].score, labels[i].second) << labels[i].first;
    EXPECT_EQ(of_lines[i].score, labels[i].second) << labels[i].first;
  }
  EXPECT_EQ(of_lines.back().score, 1);
}

TEST_F(AnswerRowsFile, OtherLabelsAreRefused) {
  const std::string header = "reference,candidate,score\n";
  const std::string where = folder_.file("rows.csv") + ":3";
  for (const std::string& part :
       {std::string("the field \"score\" must be a number, true or false, it is \"good\""), where,
        std::string("yes/no"), std::string("--field score=…")}) {
    expect_contains(error("rows.csv", header + "r,c,5\nr,c,good\n"), part);
  }
  for (const char* score : {"4,5\"", "4x", "-nan", "inf", "1e999", "0x1"}) {
    expect_contains(error("rows.csv", header + "r,c,\"" + score +
                                          (std::string(score).ends_with('"') ? "\n" : "\"\n")),
                    "must be a number");
  }
  expect_contains(error("rows.jsonl", R"({"reference": "r", "candidate": "c", "score": [1]})"),
                  "\"score\" must be a number, true or false, it is an array");
}

// The message about a label such as 85% says how to write it.
TEST_F(AnswerRowsFile, OtherFormsOfNumbersAreTold) {
  for (const auto& [label, advice] : {std::pair("85%", "write 85 for 85%"),
                                      {"4,5", "write 4.5 if 4,5 has a decimal comma"},
                                      {"3/5", "write 3 for 3/5"},
                                      {"l", "is it the digit 1?"},
                                      {"O", "is it the digit 0?"}}) {
    const std::string said =
        error("rows.csv", std::string("reference,candidate,score\nr,c,5\nr,c,\"") + label + "\"\n");
    expect_contains(said, std::string("it is \"") + label + "\"");
    expect_contains(said, advice);
  }
  EXPECT_FALSE(holds(error("rows.csv", "reference,candidate,score\nr,c,2024-01-31\n"), " for "));
}

TEST_F(AnswerRowsFile, FieldNamesAreOfRowsAlone) {
  EXPECT_EQ(error("dev.json", "{}", {{"candidate", "x"}}),
            error_lines("the format mocha has fixed field names", "--field", "leave --field out"));
  EXPECT_EQ(error("rows.csv", "reference,candidate\n"),
            error_lines("the file has no rows", folder_.file("rows.csv"),
                        "name a file with rows; a table needs some below its first line"));
}

TEST_F(AnswerRowsFile, AnAnswerBecomesTheRowItIsReadFrom) {
  Answer answer;
  answer.id = "7";
  answer.source = "gpt2";
  answer.passage = "p \"q\"";
  answer.references = {"r"};
  answer.candidate = "c";
  const std::string one =
      R"({"id": "7", "source": "gpt2", "passage": "p \"q\"", "reference": "r", "candidate": "c"})";
  EXPECT_EQ(answer_row(answer).dump(), one);
  answer.references = {"r", "s"};
  answer.score = 2.5;
  const Json row = answer_row(answer);
  EXPECT_EQ(row.find("reference")->dump(), R"(["r", "s"])");
  const Answer back = row_answer(row, {}, 1, "");
  EXPECT_EQ(back.references, answer.references);
  EXPECT_EQ(back.passage, answer.passage);
  EXPECT_EQ(row_label(row, {}, ""), 2.5);
}

// Of a field that no metric needs: its text, or that there is none, which is said.
TEST_F(AnswerRowsFile, FieldsThatAreNoTextsStopNothing) {
  for (const auto& [field, value, text, message] :
       cases<std::string, Json, std::string, std::string>("data/answers/answer_rows.json",
                                                          "fields that are no texts")) {
    Json row(Json::Object{{"candidate", "c"}, {"reference", "r"}});
    row[field] = value;
    MissingValues missing;
    const Answer answer = row_answer(row, {}, 1, "rows.jsonl:1", missing).value();
    const std::map<std::string, std::string> texts = {{"id", answer.id},
                                                      {"constituent", answer.constituent},
                                                      {"source", answer.source},
                                                      {"question", answer.question},
                                                      {"passage", answer.passage}};
    EXPECT_EQ(texts.at(field), text) << row.dump();
    const std::string error = input_error([&] { missing.require_texts(); });
    const bool has_message = !message.empty();
    expect_contains(error, has_message ? message : "accepted");
    expect_contains(error, has_message ? "rows.jsonl:1" : "accepted");
    // The row stays as it is, but for our names and numbers as texts.
    const AnswerRows rows =
        read_answers_with_rows(folder_.write("rows.jsonl", row.dump()), InputFormat::kJsonl);
    const Json& kept = rows.rows.front();
    const Json* const found = kept.find(field);
    if (value.is_array() || value.is_object()) {
      ASSERT_NE(found, nullptr) << row.dump();
      EXPECT_EQ(found->dump(), value.dump());
    }
    // A judge is sent the question, and is not asked without it.
    expect_contains(input_error([&] { row_answer(row, {}, 1, "rows.jsonl:1"); }),
                    has_message ? message : "accepted");
  }
  const std::string pairs = R"({"id": {}, "question": [], "candidate1": "a", "candidate2": "b", )"
                            R"("reference": "r"})";
  EXPECT_EQ(read_minimal_pairs(folder_.write("pairs.jsonl", pairs + "\n" + pairs)).size(), 2u);
}

// A number with a comma, in a table of semicolons, is a text where a text of an answer stands.
TEST_F(AnswerRowsFile, TextsOfMinimalPairsAndPredictionsKeepDecimalCommas) {
  const auto pairs = read_minimal_pairs(
      folder_.write("pairs.csv", "reference;candidate1;candidate2\n1,000;1,000;2,5\n"));
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].better.references, std::vector<std::string>{"1,000"});
  EXPECT_EQ(pairs[0].better.candidate, "1,000");
  EXPECT_EQ(pairs[0].worse.candidate, "2,5");
  for (const char* const column : {"prediction", "answer"}) {
    MissingValues missing;
    const auto predicted = read_predicted_answers(
        folder_.write("predicted.csv", std::string("id;") + column + "\nq1;1,000\nq2;2,5\n"), "id",
        missing);
    EXPECT_EQ(predicted.at("q1"), "1,000") << column;
    EXPECT_EQ(predicted.at("q2"), "2,5") << column;
  }
}

}  // namespace rubric::data::answer_rows_test
