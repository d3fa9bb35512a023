// `score lerc` on the tiny model of tests/fixtures/make_lerc.py: files in, transformers' scores
// out.
#include <cmath>

#include "cli/command.h"
#include "cli/run_program.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/process.h"
#include "data/model_files/seen_questions.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::lerc_command_test {

const std::string kLercModel = std::string(fixtures_folder()) + "/lerc";

struct ScoreLerc : testing::Test {
  ScoreLerc() : rows_(Json::parse_file(kLercModel + "/expected.json")) {}

  Outcome score(const std::vector<std::string>& more = {}) const {
    return run(joined(
        {"score", "lerc", "--input", file("rows.jsonl"), "--output", file("scored.out")}, more));
  }
  std::string file(const std::string& name) const { return folder_.file(name); }

  // The first `count` rows of the fixture as JSON lines.
  void write_rows(size_t count) const {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += rows_.array()[i].dump() + "\n";
    write_file(file("rows.jsonl"), text);
  }

  std::vector<Json> scored_rows() const {
    std::vector<Json> scored;
    LineReader lines(file("scored.out"));
    for (std::string line; lines.next(line);) scored.push_back(Json::parse(line, lines.where()));
    return scored;
  }

  double expected(size_t row) const {
    return rows_.array()[row].find("expected")->find("pqac")->find("score")->number();
  }

  // A copy of the model in which one file may be changed.
  std::string copy_model() const {
    fs::remove_all(file("model"));
    fs::copy(kLercModel, file("model"));
    return file("model");
  }

  Json rows_;
  TemporaryFolder folder_;
};

// As those of light metrics do.
TEST_F(ScoreLerc, MessagesNameTheColumnsOfTheFile) {
  const std::string own = folder_.write("own.csv", "golden,model_output\n\"The\",x\nrain,\n");
  const Outcome outcome =
      run({"score", "lerc", "--model", kLercModel, "--input", own, "--output", file("scored.out"),
           "--field", "reference=golden", "--field", "candidate=model_output"});
  expect_contains(outcome.err, "1 reference (column \"golden\")");
}

double lerc_of(const Json& row) {
  return row.find("scores")->find("lerc")->number();
}

// A model that lists the questions of two rows. The same rows, scored with a model that lists none,
// say no more of it.
TEST_F(ScoreLerc, RowsWithQuestionsThatTheModelHasSeenAreNoted) {
  std::string text;
  for (const char* const question : {"Who came?", "WHO CAME", "Why?", "When?"}) {
    Json row = rows_.array()[0];
    row["question"] = question;
    text += row.dump() + "\n";
  }
  write_file(file("rows.jsonl"), text);
  const std::string model = copy_model();
  data::ModelCard card;
  data::write_seen_questions(
      model,
      data::SeenQuestions{data::question_list(std::vector<std::string>{"who came"}),
                          data::question_list(std::vector<std::string>{"who came", "why"})},
      card);
  write_file(model + "/rubric.yaml", "question_hashes: " + card.question_hashes + "\n");
  const Outcome outcome = done(score({"--model", model, "--summary", file("summary.json")}));
  expect_contains(outcome.err, "|seen:50%,tuned:25%|rubric:");
  expect_contains(outcome.err,
                  "warning: lerc: its model was trained on the questions of 50% of the rows (2 of "
                  "4) and tuned on the questions of 25% of the rows (1 of 4)");
  const Json summary = Json::parse_file(file("summary.json"));
  EXPECT_EQ(value_of(summary, "trained", {.metric = "lerc"}), 2);
  EXPECT_EQ(value_of(summary, "tuned", {.metric = "lerc"}), 1);
  std::vector<std::string> seen;
  for (const Json& row : scored_rows()) {
    const Json* const said = row.find("seen");
    seen.push_back(said == nullptr ? "" : said->dump());
  }
  EXPECT_EQ(seen, (std::vector<std::string>{R"({"lerc": "trained"})", R"({"lerc": "trained"})",
                                            R"({"lerc": "tuned"})", ""}));

  fs::copy_file(file("scored.out"), file("rows.jsonl"), fs::copy_options::overwrite_existing);
  const Outcome again = done(score({"--model", kLercModel}));
  EXPECT_FALSE(holds(again.err, "seen:")) << again.err;
  for (const Json& row : scored_rows()) EXPECT_EQ(row.find("seen"), nullptr);

  // A field of this name that is the file's own is never lost.
  write_file(file("rows.jsonl"), R"({"question": "Why?", "reference": "a", "candidate": "b", )"
                                 R"("seen": "yes"})"
                                 "\n");
  expect_message(score({"--model", model}), 2, {"\"seen\" must be an object", "rows.jsonl: row 1"});
  EXPECT_EQ(score({"--model", kLercModel}).code, 0);
  EXPECT_EQ(scored_rows().front().find("seen")->string(), "yes");
}

TEST_F(ScoreLerc, EqualsTransformers) {
  write_rows(rows_.array().size());
  const Outcome outcome = done(score({"--model", kLercModel, "--summary", file("summary.json")}));
  const std::vector<Json> scored = scored_rows();
  ASSERT_EQ(scored.size(), 20u);
  double sum = 0;
  for (size_t i = 0; i < scored.size(); ++i) {
    EXPECT_NEAR(lerc_of(scored[i]), expected(i), 1e-5) << i;
    EXPECT_EQ(scored[i].find("candidate")->string(), rows_.array()[i].find("candidate")->string());
    EXPECT_EQ(scored[i].find("expected")->dump(), rows_.array()[i].find("expected")->dump());
    sum += expected(i);
  }
  const Json summary = Json::parse_file(file("summary.json"));
  EXPECT_NEAR(value_of(summary, "mean", {.metric = "lerc"}), sum / 20, 1e-5);
  const std::string signature = signature_of(summary, "lerc");
  EXPECT_TRUE(holds(signature, "|inputs:p,q,r,c|max:64|trunc:")) << signature;
  EXPECT_TRUE(holds(outcome.err, signature)) << outcome.err;
  std::vector<std::string> cut;
  for (const Json& row : recorded(summary, "truncated", "lerc", "row")) {
    cut.push_back("row " + std::to_string(std::lround(row.number()) + 1));
  }
  ASSERT_EQ(cut.size(), 5u);  // as the fixture has them
  expect_contains(
      outcome.err,
      "warning: lerc: 5 of 20 rows are longer than the model reads, and not read whole: " +
          join(cut) + "\n");
}

TEST_F(ScoreLerc, LightMetricsGoAlongAndReadMocha) {
  Json file_of_pairs;
  Json& pair = file_of_pairs["quoref"]["m1"];
  pair["context"] = *rows_.array()[0].find("passage");
  for (const char* field : {"question", "reference"}) pair[field] = *rows_.array()[0].find(field);
  pair["candidate1"] = *rows_.array()[0].find("candidate");
  pair["candidate2"] = *rows_.array()[0].find("reference");
  write_file(file("pairs.json"), file_of_pairs.dump());
  done(run({"score", "bleu1,lerc,em", "--input", file("pairs.json"), "--output",
            file("scored.json"), "--model", kLercModel, "--threads", "1"}));
  const Json row = *Json::parse_file(file("scored.json")).find("quoref")->find("m1");
  EXPECT_NEAR(row.find("scores1")->find("lerc")->number(), expected(0), 1e-5);
  EXPECT_NE(row.find("scores2")->find("lerc")->number(),
            row.find("scores1")->find("lerc")->number());
  EXPECT_EQ(row.find("scores2")->find("em")->number(), 1);
  EXPECT_EQ(row.find("scores1")->find("em")->number(), 0);
}

TEST_F(ScoreLerc, SeveralReferencesGiveTheMaximum) {
  const std::vector<std::string> references = {"her grandmother", "in the morning", "Tom"};
  Json row = rows_.array()[1];
  std::string text;
  for (const std::string& reference : references) {
    row["reference"] = reference;
    text += row.dump() + "\n";
  }
  row["reference"] = Json::Array(references.begin(), references.end());
  write_file(file("rows.jsonl"), text + row.dump() + "\n");
  ASSERT_EQ(score({"--model", kLercModel}).code, 0);
  const std::vector<Json> scored = scored_rows();
  ASSERT_EQ(scored.size(), 4u);
  double best = lerc_of(scored[0]);
  for (size_t i = 1; i < 3; ++i) best = std::max(best, lerc_of(scored[i]));
  EXPECT_NEAR(lerc_of(scored[3]), best, 1e-5);
}

// As an installed program: the tiny model is shipped with it.
TEST_F(ScoreLerc, WithoutAModelTheShippedOneIsUsed) {
  write_rows(3);
  fs::create_directories(file("share/rubric/models"));
  const std::string program = copy_program(file(""));
  const auto score_installed = [&](const std::vector<std::string>& model = {}) {
    std::vector<std::string> command = {
        program, "score", "lerc", "--input", file("rows.jsonl"), "--output", file("scored.out")};
    command.insert(command.end(), model.begin(), model.end());
    return run_process(command, {"", file("out"), file("err")});
  };
  EXPECT_EQ(score_installed(), 2);
  expect_contains(read_file(file("err")), "shipped with rubric and not in this installation");
  fs::copy(kLercModel, file("share/rubric/models/lerc-answers-small"));
  EXPECT_EQ(score_installed(), 0) << read_file(file("err"));
  expect_contains(read_file(file("err")), "  lerc|model:lerc-answers-small:");
  const auto signature = [&] {
    const std::string told = read_file(file("err"));
    const size_t begin = told.find("lerc|model:");
    return told.substr(begin, told.find('\n', begin) - begin);
  };
  const std::string of_none = signature();
  // Not lerc-answers-small: where the tests run, that is the folder models/lerc-answers-small.
  for (const std::string& model :
       {std::string("lerc-answers"), file("share/rubric/models/lerc-answers-small"),
        file("share/rubric/models/../models/lerc-answers-small/")}) {
    EXPECT_EQ(score_installed({"--model", model}), 0) << read_file(file("err"));
    EXPECT_EQ(signature(), of_none) << model;
  }
  EXPECT_EQ(score_installed({"--model", kLercModel}), 0);  // the same, elsewhere
  EXPECT_FALSE(holds(read_file(file("err")), "lerc-answers"));
  EXPECT_NEAR(lerc_of(scored_rows().at(2)), expected(2), 1e-5);
}

TEST_F(ScoreLerc, VerdictsAndExplanationsStandBesideTheScores) {
  write_rows(20);
  const std::string threshold = Json((expected(0) + expected(1)) / 2).dump();
  write_file(copy_model() + "/rubric.yaml", "max_length: 64\nthreshold: " + threshold + "\n");
  const Outcome outcome = done(score(
      {"--model", file("model"), "--verdict", "--explain", "--summary", file("summary.json")}));
  const std::vector<Json> scored = scored_rows();
  int64_t right = 0;
  for (size_t i = 0; i < scored.size(); ++i) {
    const bool is_right = expected(i) >= (expected(0) + expected(1)) / 2;
    right += is_right ? 1 : 0;
    EXPECT_EQ(scored[i].find("verdict")->string(), is_right ? "right" : "wrong") << i;
    EXPECT_EQ(scored[i].find("explanation")->find("reference")->string(),
              scored[i].find("reference")->string());
  }
  const std::string told = " over 20 rows, " + std::to_string(right) + " correct  lerc|model:";
  expect_says(outcome.err, {told, "|threshold:" + threshold + "|"});
  EXPECT_EQ(value_of(Json::parse_file(file("summary.json")), "correct", {.metric = "lerc"}), right);
  expect_message(score({"--model", kLercModel, "--verdict"}), 2,
                 {"no threshold", "train it again"});

  Json row = rows_.array()[0];
  row["verdict"] = "mine";
  write_file(file("rows.jsonl"), rows_.array()[1].dump() + "\n" + row.dump() + "\n");
  expect_message(score({"--model", file("model"), "--verdict"}), 2,
                 {"\"verdict\" already", "rows.jsonl"});
  EXPECT_EQ(score({"--model", file("model")}).code, 0);
}

// A verdict speaks of the score beside it. A field that others call so stays where no score of ours
// is there, or its values are not ours.
TEST_F(ScoreLerc, AVerdictDoesNotOutliveItsScore) {
  Json judged = rows_.array()[0], others = rows_.array()[1], unscored = rows_.array()[2];
  judged["scores"]["lerc"] = others["scores"]["lerc"] = 1.5;
  judged["verdict"] = unscored["verdict"] = "right";
  judged["explanation"]["words"] = Json::Array();
  others["verdict"] = "mine";
  write_file(file("rows.jsonl"),
             judged.dump() + "\n" + others.dump() + "\n" + unscored.dump() + "\n");
  const std::string warning =
      "warning: fields of an earlier score are left out of 1 row: explanation, verdict\n";
  const Outcome outcome = done(score({"--model", kLercModel}));
  expect_contains(outcome.err, warning);
  const std::vector<Json> scored = scored_rows();
  EXPECT_NEAR(lerc_of(scored.at(0)), expected(0), 1e-5);
  EXPECT_EQ(scored[0].find("verdict"), nullptr);
  EXPECT_EQ(scored[0].find("explanation"), nullptr);
  EXPECT_EQ(scored[1].find("verdict")->string(), "mine");
  EXPECT_EQ(scored[2].find("verdict")->string(), "right");

  write_file(file("rows.jsonl"), judged.dump() + "\n");
  write_file(copy_model() + "/rubric.yaml", "max_length: 64\nthreshold: 1000\n");
  const Outcome anew = done(score({"--model", file("model"), "--verdict"}));
  expect_contains(anew.err, warning);
  EXPECT_EQ(scored_rows().at(0).find("verdict")->string(), "wrong");
  // A metric without verdicts leaves them beside the score that they are of.
  done(run({"score", "f1", "--input", file("rows.jsonl"), "--output", file("scored.out")}));
  EXPECT_EQ(scored_rows().at(0).find("verdict")->string(), "right");
}

// A table of scored rows, such as of a data frame, has the score in a column.
TEST_F(ScoreLerc, AVerdictInATableDoesNotOutliveItsScore) {
  write_file(file("rows.csv"),
             "passage,question,reference,candidate,lerc,verdict\n"
             "rain,what?,rain,a rain,1.5,wrong\nrain,what?,rain,a rain,,wrong\n");
  const auto score_table = [&](const std::string& model, bool with_verdict) {
    std::vector<std::string> call = {"score",   "lerc",           "--model",  model,
                                     "--input", file("rows.csv"), "--output", file("scored.out")};
    if (with_verdict) call.emplace_back("--verdict");
    return run(call);
  };
  const Outcome outcome = done(score_table(kLercModel, false));
  expect_contains(outcome.err, "an earlier score are left out of 1 row: verdict");
  const std::vector<Json> scored = scored_rows();
  EXPECT_EQ(scored.at(0).find("verdict"), nullptr);
  EXPECT_EQ(scored.at(1).require_string("verdict", ""), "wrong");  // of no score
}

// The two candidates of a minimal pair have one row, which may have their verdicts already.
TEST_F(ScoreLerc, TheCandidatesOfAPairHaveVerdictsOfTheirOwn) {
  Json pairs;
  Json& pair = pairs["quoref"]["m1"];
  pair["context"] = *rows_.array()[0].find("passage");
  for (const char* field : {"question", "reference"}) pair[field] = *rows_.array()[0].find(field);
  pair["candidate1"] = *rows_.array()[0].find("candidate");
  pair["candidate2"] = *rows_.array()[0].find("reference");
  write_file(file("pairs.json"), pairs.dump());
  const std::string model = copy_model(), threshold = Json(expected(0) - 1e-3).dump();
  write_file(model + "/rubric.yaml", "max_length: 64\nthreshold: " + threshold + "\n");
  const auto score_pairs = [&] {
    return run({"score", "lerc", "--input", file("pairs.json"), "--output", file("scored.json"),
                "--model", model, "--verdict"});
  };
  ASSERT_EQ(score_pairs().code, 0);
  const Json row = *Json::parse_file(file("scored.json")).find("quoref")->find("m1");
  EXPECT_EQ(row.find("verdict1")->string(), "right");
  const bool is_right = row.find("scores2")->find("lerc")->number() >= expected(0) - 1e-3;
  EXPECT_EQ(row.find("verdict2")->string(), is_right ? "right" : "wrong");
  EXPECT_EQ(row.find("verdict"), nullptr);
  pair["verdict2"] = "wrong";
  write_file(file("pairs.json"), pairs.dump());
  expect_message(score_pairs(), 2, {"\"verdict2\" already", "m1"});
}

TEST_F(ScoreLerc, BadModelsAreNamedAndLeaveNothing) {
  write_rows(2);
  expect_message(score({"--model", file("absent")}), 2, {file("absent"), "correct the path"});
  expect_message(score({"--model", minilm_folder()}), 2, {"score_layer.weight", minilm_folder()});
  for (const std::string wrong : {"lrec", "lerc-answers", "lerc-answer", "lerc-answers-smal"}) {
    expect_message(run({"rubric", "score", wrong, "--input", file("rows.jsonl"), "--output",
                        file("scored.out")}),
                   2, {json_quote(wrong), "did you mean lerc?"});
  }

  const std::string weights = copy_model() + "/model.safetensors";
  for (const uintmax_t size :
       {uintmax_t{0}, uintmax_t{7}, uintmax_t{500}, fs::file_size(weights) - 1}) {
    fs::resize_file(weights, size);
    expect_message(score({"--model", file("model")}), 2, {weights});
  }
  copy_model();
  std::string vocabulary = read_file(file("model/vocab.txt"));
  vocabulary.replace(vocabulary.find("[CLS]"), 5, "[SLC]");
  write_file(file("model/vocab.txt"), vocabulary);
  expect_message(score({"--model", file("model")}), 2, {"[CLS]", file("model/vocab.txt")});
  copy_model();
  write_file(file("model/rubric.yaml"), "inputs: [passage, qestion]\n");
  expect_message(score({"--model", file("model")}), 2, {"qestion", "rubric.yaml"});
  copy_model();
  write_file(file("model/config.json"), "{\"model_type\": \"bert\"");
  expect_message(score({"--model", file("model")}), 2, {"not valid JSON", "config.json"});
  fs::remove_all(file("model"));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
}

TEST_F(ScoreLerc, BadRowsAreNamedAndLeaveNothing) {
  const std::string row = rows_.array()[0].dump() + "\n";
  const std::pair<std::string, std::string> kCases[] = {
      {row + "{\"question\": \n", "rows.jsonl:2"},
      {row + row + "{\"candidate\": \"a\"}\n", "rows.jsonl:3"},
      {row + "{\"reference\": \"\xC3\", \"candidate\": \"b\"}", "rows.jsonl:2"}};
  for (const auto& [text, place] : kCases) {
    write_file(file("rows.jsonl"), text);
    expect_message(score({"--model", kLercModel}), 2, {place});
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
  }
}

}  // namespace rubric::cli::lerc_command_test
