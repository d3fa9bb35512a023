// `score` with data sets of questions and a file of predictions.
#include <gtest/gtest.h>

#include "cli/on_terminal.h"
#include "cli/score/score_command.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::question_sets_test {

struct QuestionSets : testing::Test {
  Outcome score(const std::string& format, const std::string& input, const std::string& predictions,
                const std::string& metrics = "em,f1",
                const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"score",          metrics, "--input",       input,
                                          "--input-format", format,  "--predictions", predictions,
                                          "--output",       output_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
  // The scores of every row are those of the fixture, which has no other.
  void expect_scores(const Json& expected) {
    size_t rows = 0;
    LineReader lines(output_);
    for (std::string line; lines.next(line); ++rows) {
      const Json row = Json::parse(line, lines.where());
      const Json& of_row = expected.require(row.require_string("id", ""), lines.where());
      for (const std::string name : {"em", "f1"}) {
        EXPECT_NEAR(row.find("scores")->require_number(name, lines.where()),
                    of_row.require_number(name, ""), 1e-9)
            << line;
      }
    }
    EXPECT_EQ(rows, expected.object().size());
  }

  TemporaryFolder folder_;
  std::string output_ = folder_.file("scored.jsonl");
};

TEST_F(QuestionSets, EqualTheOfficialScripts) {
  const std::string folder = std::string(fixtures_folder()) + "/squad/";
  for (const auto& [format, name] : {std::pair("squad", "v1.1"), std::pair("squad", "v2.0"),
                                     std::pair("trivia_qa", "trivia_qa")}) {
    const Outcome outcome =
        done(score(format, folder + name + ".json", folder + name + "_predictions.json"));
    expect_contains(outcome.err, "1 question has no prediction");
    expect_scores(Json::parse_file(folder + name + "_scores.json"));
  }
}

TEST_F(QuestionSets, NoAnswerProbabilitiesEqualTheOfficialScript) {
  const std::string folder = std::string(fixtures_folder()) + "/squad/v2.0";
  const std::string probabilities = folder + "_no_answer.json", summary = folder_.file("s.json");
  const Json expected = Json::parse_file(folder + "_no_answer_scores.json");
  Outcome outcome = done(score("squad", folder + ".json", folder + "_predictions.json", "em,f1",
                               {"--no-answer-probabilities", probabilities, "--summary", summary}));
  expect_scores(Json::parse_file(folder + "_scores.json"));
  const Json found = Json::parse_file(summary);
  for (const std::string name : {"em", "f1"}) {
    for (const std::string value : {"mean", "no_answer_threshold"}) {
      EXPECT_NEAR(value_of(found, "best_" + value, {.metric = name}),
                  expected.find("best")->require(name, "").require_number(value, ""), 1e-9)
          << name << " " << value;
    }
  }
  expect_contains(outcome.err, "at its best no-answer threshold");
  outcome = score("squad", folder + ".json", folder + "_predictions.json", "em,f1",
                  {"--no-answer-probabilities", probabilities, "--no-answer-threshold",
                   expected.find("threshold")->dump()});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_scores(*expected.find("scores"));
  const std::string scored = read_file(output_);
  expect_contains(scored,
                  "\"prediction\": \"the team of Carolina\", \"no_answer_probability\": 0.75");
  expect_contains(outcome.err, "3 answers are above the threshold");
  expect_contains(outcome.err, "f1|case:lc|tok:squad|no_answer:0.6|rubric:");
}

TEST_F(QuestionSets, TheBestThresholdIsToldOnATerminalToo) {
  const std::string folder = std::string(fixtures_folder()) + "/squad/v2.0";
  OnTerminal terminal({std::string(programs_folder()) + "/rubric", "score", "em", "--input",
                       folder + ".json", "--predictions", folder + "_predictions.json",
                       "--no-answer-probabilities", folder + "_no_answer.json"});
  expect_contains(terminal.read_until("threshold 0.25"), "em 0.4545 at its best no-answer");
  EXPECT_EQ(terminal.end(), 0);
}

TEST_F(QuestionSets, RefuseNoAnswerProbabilitiesTheyCannotUse) {
  const std::string folder = std::string(fixtures_folder()) + "/squad/";
  const auto with = [&](const std::string& set, const std::vector<std::string>& options) {
    return score("squad", folder + set + ".json", folder + set + "_predictions.json", "em",
                 options);
  };
  const auto given = [&](const std::string& text) {
    return std::vector<std::string>{"--no-answer-probabilities", folder_.write("na.json", text)};
  };
  expect_message(with("v2.0", given("{\"q1\": 0.5}")), 2, {"has no probability", "na.json"});
  expect_message(with("v2.0", given("{\"q1\": \"x\"}")), 2,
                 {"must be a number, it is a string", "na.json: \"q1\""});
  expect_message(with("v2.0", given("[0.5]")), 2, {"expected an object", "na.json"});
  expect_message(with("v2.0", {"--no-answer-threshold", "0.5"}), 2,
                 {"add --no-answer-probabilities"});
  std::vector<std::string> threshold = given("{}");
  threshold.insert(threshold.end(), {"--no-answer-threshold", "half"});
  expect_message(with("v2.0", threshold), 2, {"\"half\" is not a number", "--no-answer-threshold"});
  expect_message(score("trivia_qa", folder + "trivia_qa.json",
                       folder + "trivia_qa_predictions.json", "em", given("{}")),
                 2, {"each question has an answer", "na.json"});
  EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(QuestionSets, AreKnownByHowTheyBegin) {
  const std::string folder = std::string(fixtures_folder()) + "/squad/v2.0";
  done(run({"score", "em,f1", "--input", folder + ".json", "--predictions",
            folder + "_predictions.json", "--output", output_}));
  expect_scores(Json::parse_file(folder + "_scores.json"));
}

TEST_F(QuestionSets, SamplesOfLmEvaluationHarnessAreKnownByTheirFields) {
  const auto sample = [](const std::string& target, const std::string& filter) {
    Json row = Json::parse(
        "{\"doc_id\": 7, \"doc\": {\"question\": \"q\"}, \"filtered_resps\": [\"a cat\"]}", "");
    row["target"] = target;
    row["filter"] = filter;
    return row.dump() + "\n";
  };
  const std::string input = folder_.write(
      "samples.jsonl", sample("['x', 'A cat']", "none") + sample("{\"a\": 1}", "first"));
  std::vector<std::string> arguments = {"score", "em", "--input", input, "--output", output_};
  const Outcome outcome = done(run(arguments));
  expect_says(outcome.err, {"em 0.5000", "warning: 1 id is that of several documents"});
  const std::string scored = read_file(output_);
  expect_says(scored, {"\"id\": \"7\", \"constituent\": \"none\"", "filtered_resps"});
  arguments.insert(arguments.end(), {"--constituent", "none"});
  expect_contains(run(arguments).err, "em 1.0000");
}

// A mean over the filters of each response, or over repeats, counts a document several times.
TEST_F(QuestionSets, DocumentsWithSeveralRowsAreReported) {
  std::string samples;
  for (const std::string id : {"0", "1"}) {
    for (const std::string filter : {"strict", "flexible"}) {
      samples += "{\"doc_id\": " + id + ", \"doc\": {\"question\": \"q" + id +
                 "\"}, \"target\": \"a cat\", \"filtered_resps\": [\"a cat\"], \"filter\": \"" +
                 filter + "\"}\n";
    }
  }
  const std::string input = folder_.write("samples.jsonl", samples);
  const std::vector<std::string> score = {"score", "em", "--input", input, "--output", output_};
  expect_contains(run(score).err,
                  "warning: 4 rows are of 2 documents, with a row for each constituent "
                  "(\"flexible\", \"strict\")");
  std::vector<std::string> one = score;
  one.insert(one.end(), {"--constituent", "strict"});
  EXPECT_FALSE(holds(run(one).err, " rows are of "));
  const std::string repeats = folder_.write(
      "repeats.csv", "id,question,reference,candidate\n7,q,a cat,cat\n7,q,a cat,dog\n8,r,a,b\n");
  expect_contains(run({"score", "em", "--input", repeats, "--output", output_}).err,
                  "warning: 2 rows are of 1 document, with the same id, question and references: "
                  "\"7\"");
}

TEST_F(QuestionSets, AChoiceThatIsAnArticleIsToldOf) {
  const std::string input = folder_.write(
      "choices.jsonl", "{\"id\": \"q7\", \"reference\": \"A\", \"candidate\": \"A\"}\n");
  expect_contains(run({"score", "f1", "--input", input, "--output", output_}).err, "\"q7\"");
  expect_contains(run({"score", "em", "--input", input, "--output", output_}).err, "em 1.0000");
}

TEST_F(QuestionSets, PredictionsMayBeRows) {
  const std::string folder = std::string(fixtures_folder()) + "/squad/";
  const Json predictions = Json::parse_file(folder + "v2.0_predictions.json");
  for (const char* const field : {"prediction_text", "answer"}) {
    std::string rows;
    for (const auto& [id, text] : predictions.object()) {
      Json row;
      row["id"] = id;
      row[field] = text;
      rows += row.dump() + "\n";
    }
    done(score("squad", folder + "v2.0.json", folder_.write("predictions.jsonl", rows)));
    expect_scores(Json::parse_file(folder + "v2.0_scores.json"));
  }
}

// {"ID": "text"} with ids that rows have as names of fields.
TEST_F(QuestionSets, IdsMayBeUsualNamesOfFields) {
  const auto question = [](const std::string& id) {
    return R"({"id": ")" + id + R"(", "question": "q", "answers": [{"text": "dog"}]})";
  };
  for (const auto& [first, second] :
       {std::pair("q1", "answer"), {"response", "prediction"}, {"candidate", "reference"}}) {
    const std::string input =
        folder_.write("gold.json", R"({"data": [{"paragraphs": [{"context": "a dog", "qas": [)" +
                                       question(first) + ", " + question(second) + "]}]}]}");
    const std::string text =
        std::string("{\"") + first + "\": \"dog\", \"" + second + "\": \"cat\"}";
    for (const char* const name : {"predictions.json", "predictions.jsonl"}) {
      const Outcome outcome = done(score("squad", input, folder_.write(name, text)));
      EXPECT_FALSE(holds(outcome.err, "fields:")) << outcome.err;
      expect_scores(Json::parse(std::string("{\"") + first + "\": {\"em\": 1, \"f1\": 1}, \"" +
                                    second + "\": {\"em\": 0, \"f1\": 0}}",
                                ""));
    }
  }
  // One object with an id is a row.
  const std::string input =
      folder_.write("gold.json", R"({"data": [{"paragraphs": [{"context": "a dog", "qas": [)" +
                                     question("q1") + "]}]}]}");
  for (const char* const id : {"id", "question_id"}) {
    const std::string row = std::string("{\"") + id + "\": \"q1\", \"prediction\": \"dog\"}";
    ASSERT_EQ(score("squad", input, folder_.write("row.json", row)).code, 0) << id;
    expect_scores(Json::parse(R"({"q1": {"em": 1, "f1": 1}})", ""));
  }
}

TEST_F(QuestionSets, NaturalQuestionsAreMatchedByQuestion) {
  const std::string input =
      folder_.write("nq.jsonl",
                    "{\"question\": \"who won\", \"answer\": [\"Ann\", \"Ann Lee\"]}\n"
                    "{\"question\": \"who lost\", \"answer\": [\"Bob\"]}\n");
  const std::string predictions =
      folder_.write("predictions.jsonl",
                    "{\"question\": \"who lost\", \"prediction\": \"Rob\"}\n"
                    "{\"question\": \"who won\", \"prediction\": \"ann lee.\"}\n"
                    "{\"question\": \"another\", \"prediction\": \"x\"}\n");
  const Outcome outcome = done(score("nq_open", input, predictions, "em"));
  expect_contains(outcome.err, "1 prediction is for no question");
  EXPECT_EQ(read_file(output_),
            "{\"id\": \"1\", \"question\": \"who won\", \"reference\": [\"Ann\", \"Ann Lee\"], "
            "\"candidate\": \"ann lee.\", \"scores\": {\"em\": 1}}\n"
            "{\"id\": \"2\", \"question\": \"who lost\", \"reference\": \"Bob\", \"candidate\": "
            "\"Rob\", \"scores\": {\"em\": 0}}\n");
}

TEST_F(QuestionSets, SamplesOfLmEvaluationHarness) {
  const std::string input = folder_.write(
      "samples.jsonl",
      "{\"doc_id\": 0, \"doc\": {\"question\": \"q\", \"passage\": \"p\"}, \"target\": \"['x', 'A "
      "cat']\", \"resps\": [[\" a cat\"]], \"filtered_resps\": [\"a cat\"], \"filter\": \"none\"}\n"
      "{\"doc_id\": 1, \"doc\": {}, \"target\": 5, \"filtered_resps\": [[\"6\"]]}\n");
  const Outcome outcome = done(run({"score", "em", "--input", input, "--output", output_}));
  const std::string scored = read_file(output_);
  expect_contains(scored, "\"target\": [\"x\", \"A cat\"]");
  expect_contains(scored, "\"id\": \"0\", \"constituent\": \"none\", \"scores\": {\"em\": 1}}\n");
  expect_contains(scored, "\"id\": \"1\", \"scores\": {\"em\": 0}}\n");
  EXPECT_FALSE(holds(outcome.err, " rows are of ")) << outcome.err;  // each document has one
  // Likelihoods of choices, as the harness logs them: as texts, and as it computes them.
  for (const char* const responses :
       {"[[\"-5.43\", \"False\"], [\"-3.2\", \"True\"]]", "[[-1.5, false]]"}) {
    const std::string choices = folder_.write(
        "choices.jsonl",
        std::string("{\"doc_id\": 0, \"target\": 1, \"filtered_resps\": ") + responses + "}\n");
    expect_message(run({"score", "em", "--input", choices, "--output", output_}), 2,
                   {"must be a text, it is a list of 2", "choices.jsonl:1"});
  }
}

TEST_F(QuestionSets, RefuseWhatTheyCannotMatch) {
  const std::string squad = std::string(fixtures_folder()) + "/squad/v2.0.json";
  const std::string none = folder_.write("none.json", "{\"x\": \"y\"}");
  expect_message(score("squad", squad, none), 2, {"no prediction is for a question", "none.json"});
  expect_message(score("squad", squad, folder_.write("list.json", "[1]")), 2, {"row 1"});
  expect_message(score("squad", squad, folder_.write("lists.json", "{\"q1\": [\"a\"]}")), 2,
                 {"must be a text, it is an array", "lists.json: \"q1\""});
  expect_message(
      score("squad", squad, folder_.write("lists.json", R"({"q1": ["a", "b"], "q2": ["c", "d"]})")),
      2, {"must be a text, it is an array", "lists.json: \"q1\""});
  expect_message(score("squad", squad, folder_.write("twice.csv", "id,prediction\nq1,a\nq1,b\n")),
                 2, {"a second prediction for \"q1\"", "twice.csv:3"});
  expect_message(score("squad", squad, folder_.write("noid.csv", "prediction\na\n")), 2,
                 {"no \"id\" to tell its question"});
  expect_message(score("squad", none, none), 2, {"\"data\"", "none.json"});
  expect_message(score("jsonl", none, none), 2, {"has candidates of its own"});
  const std::string missing = folder_.path().string() + "/missing.json";
  expect_message(run({"score", "em", "--input", missing, "--predictions", none}), 2,
                 {"no such file", "missing.json"});
  expect_message(
      run({"score", "em", "--input", squad, "--input-format", "squad", "--output", output_}), 2,
      {"has questions without candidates", "--predictions FILE"});
  EXPECT_FALSE(std::filesystem::exists(output_));
}

}  // namespace rubric::cli::question_sets_test
