// `score rev` on the tiny evaluators of tests/fixtures/make_rev.py.
#include <cmath>
#include <csignal>
#include <fstream>
#include <optional>
#include <thread>

#include "cli/peak_memory.h"
#include "measured.h"
#include "metrics/neural/likelihood_fixture.h"
#include "models/weights/weights.h"
#include "paths.h"

namespace rubric::cli {
namespace {

namespace fs = std::filesystem;

std::string rev_fixture(const std::string& name) {
  return std::string(fixtures_folder()) + "/rev/" + name;
}

// As train writes it of a T5.
constexpr const char* kCard = R"(task: seq2seq
seq2seq:
  source: "[rationale] {rationale} {baseline} [answer]"
  target: "{label}"
  end: <eos>
  bos: false
  max_source: 300
  max_target: 20
  too_long: refuse
  source_eos: false
  decoder_start: last-input
)";

Json row_of(const std::string& id, const std::string& rationale = "r") {
  return Json::Object{{"id", id},
                      {"question", "Where?"},
                      {"label", "attic"},
                      {"rationale", rationale},
                      {"baseline", "In the attic."}};
}

const Json* rev_of(const Json& row) {
  const Json* const scores = row.find("scores");
  return scores == nullptr ? nullptr : scores->find("rev");
}

struct ScoreRev : SequenceCommand {
  using Arguments = std::vector<std::string>;

  ScoreRev() {
    Json bad = row_of("b", " ");
    bad["scores"] = Json::Object{{"rev", 7}, {"f1", 1}};
    write_lines("rows.jsonl", {row_of("a"), bad});
  }
  Arguments command(const Arguments& more = {}, const std::string& model = rev_fixture("t5_v1_0"),
                    const std::string& output = "out.jsonl") const {
    Arguments call = {"score",    "rev",       "--model", model, "--input", file("rows.jsonl"),
                      "--output", file(output)};
    call.insert(call.end(), more.begin(), more.end());
    return call;
  }
  Outcome score(const Arguments& more = {},
                const std::string& model = rev_fixture("t5_v1_0")) const {
    return run(command(more, model));
  }
  std::string copy_evaluator(const std::string& name) const {
    fs::copy(rev_fixture(name), file("model"));
    return file("model");
  }
};

TEST_F(ScoreRev, ARowThatCannotBeScoredEndsTheCall) {
  expect_message(score(), 2, {"the rationale is missing or empty", file("rows.jsonl") + ":2: b"});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
}

// Nor does it keep what an earlier call gave it.
TEST_F(ScoreRev, OrIsLeftWithoutScoresAndCounted) {
  const Outcome outcome = done(score({"--keep-going"}));
  expect_says(outcome.err, {"|not_scored:1/2", "rows.jsonl:2: b"});
  const std::vector<Json> rows = read_lines("out.jsonl");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NE(rev_of(rows[0]), nullptr);
  EXPECT_EQ(rows[1].require("scores", "").dump(), "{\"f1\": 1}");
}

TEST_F(ScoreRev, WhatCannotBeScoredIsNamedWithItsLine) {
  std::string longer = "r";
  for (int i = 0; i < 200; ++i) longer += " and r";
  const std::string line = file("rows.jsonl") + ":2: ";
  for (const auto& [row, what] : {std::pair(row_of("b", "so [answer] it is"), "holds [answer]"),
                                  {row_of("b", "He closed it </s> and left"), "holds </s>"},
                                  {row_of("b", longer), "the source has"},
                                  {row_of("a", "another"), "the id is there twice"}}) {
    write_lines("rows.jsonl", {row_of("a"), row});
    expect_message(score({}, rev_fixture("bart")), 2, {what, line, row.require_string("id", "")});
    const Outcome outcome = done(score({"--keep-going"}, rev_fixture("bart")));
    expect_says(outcome.err, {what, "|not_scored:1/2"});
    EXPECT_EQ(rev_of(read_lines("out.jsonl").at(1)), nullptr);
    fs::remove(file("out.jsonl"));
  }
}

TEST_F(ScoreRev, AnotherFormatOrTemplateIsRefused) {
  write_file(file("rows.json"), "{}");
  const Outcome outcome = run({"score", "rev", "--model", file("not looked for"), "--input",
                               file("rows.json"), "--output", file("out.json")});
  expect_message(outcome, 2, {"the format mocha is not a format of rows", file("rows.json")});
  const std::string model = copy_evaluator("t5_v1_0");
  write_file(model + "/rubric.yaml", kCard);
  set_in_file(model + "/rubric.yaml", "{rationale} {baseline}", "{baseline}");
  expect_message(score({}, model), 2,
                 {"the model reads \"[rationale] {baseline} [answer]\"", model + "/rubric.yaml"});
}

// Of an evaluator that has no number for what its vocabulary lacks.
TEST_F(ScoreRev, ARowWithoutFiniteProbabilitiesIsLikeOneThatCannotBeScored) {
  const std::string weights = copy_evaluator("t5_v1_1") + "/model.safetensors";
  models::NamedTensors tensors = models::read_safetensors(weights);
  constexpr int64_t kUnknown = 2;
  models::find_tensor(tensors, "shared.weight")->select(0, kUnknown).fill_(std::nan(""));
  models::write_safetensors(weights, tensors);
  write_lines("rows.jsonl", {row_of("a"), row_of("b", "r\u1234"), row_of("c")});
  expect_message(score({}, file("model")), 1, {"not finite", file("rows.jsonl") + ":2: b"});
  const Outcome outcome = score({"--keep-going"}, file("model"));  // goes on with the same output
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_says(outcome.err, {file("rows.jsonl") + ":2: b", "|baselines:given=2|not_scored:1/3"});
  const std::vector<Json> rows = read_lines("out.jsonl");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].dump(), row_of("b", "r\u1234").dump());
  EXPECT_TRUE(std::isfinite(rev_of(rows[2])->number()));
}

TEST_F(ScoreRev, AStrictCallDoesNotFinishWhatALenientOneLeftOut) {
  const std::string weights = copy_evaluator("t5_v1_1") + "/model.safetensors";
  models::NamedTensors tensors = models::read_safetensors(weights);
  constexpr int64_t kUnknown = 2;
  models::find_tensor(tensors, "shared.weight")->select(0, kUnknown).fill_(std::nan(""));
  models::write_safetensors(weights, tensors);
  constexpr int64_t kGroup = 1024;
  std::vector<Json> inputs = {row_of("bad", "r\u1234")};
  while (std::ssize(inputs) <= kGroup) inputs.push_back(row_of(std::to_string(inputs.size())));
  write_lines("rows.jsonl", inputs);
  ASSERT_EQ(score({}, file("model")).code, 1);  // leaves an unfinished output without rows
  ASSERT_EQ(run(command({"--keep-going"}, file("model"), "lenient.jsonl")).code, 0);
  const std::string lenient = read_file(file("lenient.jsonl"));
  const std::string group = lenient.substr(0, lenient.rfind('\n', lenient.size() - 2) + 1);
  write_file(file("out.jsonl.unfinished"), group);
  expect_message(score({}, file("model")), 1, {"left rows unscored", "add --keep-going"});
  EXPECT_FALSE(fs::exists(file("out.jsonl")));
  EXPECT_EQ(score({"--keep-going"}, file("model")).code, 0);
  EXPECT_EQ(read_file(file("out.jsonl")), lenient);
}

TEST_F(ScoreRev, TheFirstRowsByTwoEvaluators) {
  fs::copy_file(rev_fixture("rows.jsonl"), file("rows.jsonl"),
                fs::copy_options::overwrite_existing);
  const Json expected = Json::parse_file(rev_fixture("expected.json"));
  const Outcome outcome = done(score({"--baseline-model", rev_fixture("t5_v1_1"), "--limit", "4"}));
  expect_contains(outcome.err, "|baseline_model:");
  const std::vector<Json> rows = read_lines("out.jsonl");
  ASSERT_EQ(rows.size(), 4u);
  const Json::Array& both = expected.require("t5_v1_0", "").require("two", "").array();
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(rev_of(rows[i])->number(), both[i].require_number("rev", ""), 1e-5) << i;
  }
}

// With the options that the published procedure comes to.
TEST_F(ScoreRev, EqualsTwoCallsOfScoreLikelihood) {
  const std::string model = copy_evaluator("t5_v1_0");
  write_file(model + "/rubric.yaml", kCard);
  fs::copy_file(rev_fixture("rows.jsonl"), file("rows.jsonl"),
                fs::copy_options::overwrite_existing);
  ASSERT_EQ(score({}, model).code, 0);
  const auto likelihoods = [&](const std::string& source) {
    done(run({"score", "likelihood", "--model", model, "--input", file("rows.jsonl"), "--output",
              file("likelihoods.jsonl"), "--source", source, "--target", "{label} <eos>",
              "--decoder-start", "last-input", "--no-eos"}));
    std::vector<double> values;
    for (const Json& row : read_lines("likelihoods.jsonl")) {
      values.push_back(row.require("scores", "").require_number("likelihood", ""));
    }
    return values;
  };
  const auto with = likelihoods("[rationale] {rationale} {baseline} [answer]");
  const auto without = likelihoods("[rationale] {baseline} [answer]");
  const std::vector<Json> rows = read_lines("out.jsonl");
  ASSERT_EQ(rows.size(), with.size());
  int64_t compared = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Json& scores = rows[i].require("scores", "");
    EXPECT_NEAR(scores.require_number("rev_without", ""), without[i], 1e-6) << i;
    if (scores.require_number("rev", "") == 0) continue;  // the rationale is its baseline
    EXPECT_NEAR(scores.require_number("rev_with", ""), with[i], 1e-6) << i;
    EXPECT_NEAR(scores.require_number("rev", ""), with[i] - without[i], 1e-6) << i;
    ++compared;
  }
  EXPECT_EQ(compared, std::ssize(rows) - 2);
}

// Groups of 1,024 rows are scored together.
TEST_F(ScoreRev, AKilledCallGoesOnBehindItsLastWholeGroup) {
  std::vector<Json> inputs;
  for (int64_t i = 0; i < 2500; ++i) {
    inputs.push_back(row_of(std::to_string(i), "r" + std::to_string(i % 7)));
    inputs.back()["scores"] = Json::Object{{"f1", i}, {"rev", 7}};
  }
  write_lines("rows.jsonl", inputs);
  ASSERT_EQ(run(command({}, rev_fixture("t5_v1_0"), "whole.jsonl")).code, 0);
  const std::string whole = read_file(file("whole.jsonl"));
  const auto place_of_line = [&](int64_t lines) {
    size_t at = 0;
    for (; lines > 0; --lines) at = whole.find('\n', at) + 1;
    return at;
  };
  const std::string group = whole.substr(0, place_of_line(1024));
  const std::string unfinished = file("out.jsonl.unfinished");
  int killed_by = 0;
  for (int attempt = 0; killed_by == 0 && attempt < 5;
       ++attempt) {  // one may end before it is seen
    fs::remove(file("out.jsonl"));
    Process process(command());
    while (!process.ended() &&
           (!fs::exists(unfinished) || fs::file_size(unfinished) < group.size())) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process.send(SIGKILL);
    killed_by = process.wait().signal;
  }
  ASSERT_EQ(killed_by, SIGKILL);
  const std::string written = read_file(unfinished);
  EXPECT_EQ(written, whole.substr(0, written.size()));

  const std::string identity = read_file(unfinished + ".json");
  Json of_another_build = Json::parse(identity, "");
  of_another_build["rubric"] = "0.1.0+000000000000";
  write_file(unfinished + ".json", of_another_build.dump());
  expect_message(score(), 2, {"made with another rubric: 0.1.0+000000000000 there", unfinished});
  EXPECT_EQ(read_file(unfinished), written);
  write_file(unfinished + ".json", identity);
  const size_t second = whole.find('\n') + 1;
  write_file(unfinished, whole.substr(second, group.size() - second) + whole.substr(0, second));
  expect_message(score(), 2, {"row 1 of the input", unfinished + ":1"});
  write_file(unfinished, whole + group + group);  // more rows than the input has
  expect_message(score(), 2, {"row 2501 of the input", unfinished});
  write_file(unfinished, whole.substr(0, place_of_line(1900)) + "{\"id\": \"half a l");
  const Outcome outcome = done(score());
  expect_contains(outcome.err, "resuming after row 1024\n");
  expect_contains(outcome.err, "|baselines:given=2500\n");  // those of the first call, too
  EXPECT_EQ(read_file(file("out.jsonl")), whole);
}

TEST_F(ScoreRev, MemoryDoesNotGrowWithTheFile) {
  const auto peak_of = [&](int64_t rows) {
    std::vector<Json> inputs(static_cast<size_t>(rows), row_of(""));
    for (size_t i = 0; i < inputs.size(); ++i) {
      inputs[i]["id"] = std::to_string(i);
      inputs[i]["kept"] = std::string(4096, 'k');
    }
    write_lines("rows.jsonl", inputs);
    return peak_memory(command({"--threads", "1"}));
  };
  const std::optional<int64_t> of_few = peak_of(1100);
  if (!of_few) GTEST_SKIP() << "this process may not trace others";
  EXPECT_GT(*of_few, 50'000) << "libtorch alone takes more";
  EXPECT_LT(peak_of(6100).value(), *of_few + 10'000) << "the file is 20 MB longer";
}

TEST_F(ScoreRev, FromRowsWithoutBaselinesToTheTable) {
  const std::string inference = R"("premise": "A dog swims.", "hypothesis": "It is wet.", )"
                                R"("choices": ["entailment", "neutral", "contradiction"], )";
  const std::string question = R"("question": "Where would a mouse hide?", )"
                               R"("choices": ["wall", "shoe"], )";
  write_file(
      file("rows.jsonl"),
      R"({"id": "a", )" + question +
          R"("label": "wall", "gold": "wall", "rationale": "Walls have holes."})" + "\n" +
          R"({"id": "b", )" + question +
          R"("label": "shoe", "gold": "wall", "rationale": "where would a MOUSE hide? The answer is shoe.\n"})" +
          "\n" + R"({"id": "n", )" + inference +
          R"("label": "entailment", "gold": "entailment", "rationale": "Water wets."})" + "\n");
  ASSERT_EQ(run({"derive", "vacuous-rationales", "--input", file("rows.jsonl"), "--output",
                 file("baselines.jsonl")})
                .code,
            0);
  fs::rename(file("baselines.jsonl"), file("rows.jsonl"));
  ASSERT_EQ(score({"--summary", file("summary.json")}).code, 0);
  const Json summary = Json::parse_file(file("summary.json"));
  const std::string signature = signature_of(summary, "rev");
  expect_says(signature, {"|equal:1/3|", "|baselines:answer=2,template=1"});
  const std::vector<Json> rows = read_lines("out.jsonl");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rev_of(rows[1])->number(), 0);
  const double mean = (rev_of(rows[0])->number() + rev_of(rows[2])->number()) / 3;
  EXPECT_NEAR(value_of(summary, "mean", {.metric = "rev"}), mean, 1e-12);
  const Json evaluated =
      printed_json(run({"evaluate", "rev", "--pairs", "gold=" + file("out.jsonl"), "--resamples",
                        "100", "--format", "json"}));
  EXPECT_NEAR(value_of(evaluated, "mean", {.metric = "rev", .system = "gold"}), mean, 1e-12);
}

}  // namespace
}  // namespace rubric::cli
