// `score likelihood` on the tiny models of tests/fixtures/make_likelihood.py: texts in,
// transformers' log-probabilities out.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "measured.h"
#include "metrics/neural/likelihood_fixture.h"
#include "models/weights/weights.h"
#include "paths.h"

namespace rubric::cli::likelihood_command_test {

namespace fs = std::filesystem;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double score_of(const Json& row, const char* name = "likelihood") {
  return row.require("scores", "").require_number(name, "");
}

struct ScoreLikelihood : SequenceCommand {
  Outcome score(const std::string& model, const std::vector<std::string>& more = {}) const {
    return run(joined({"score", "likelihood", "--model", model, "--input", file("rows.jsonl"),
                       "--output", file("scored.out")},
                      more));
  }
  void write_fixture_rows(const std::string& model) const {
    std::vector<Json> rows;
    for (const Json& row : likelihood_expected().require(model, "").array()) {
      rows.push_back(
          source_target(row.require_string("source", ""), row.require_string("target", "")));
    }
    write_lines("rows.jsonl", rows);
  }
};

class ScoreLikelihoodParity : public ScoreLikelihood,
                              public testing::WithParamInterface<const char*> {};

TEST_P(ScoreLikelihoodParity, EqualsTransformers) {
  const std::string name = GetParam();
  const auto& expected = likelihood_expected().require(name, "").array();
  write_fixture_rows(name);
  const Outcome outcome = done(
      score(likelihood_model(name), {"--sum", "--per-token", "--summary", file("summary.json")}));
  const std::vector<Json> scored = read_lines("scored.out");
  ASSERT_EQ(scored.size(), expected.size());
  std::vector<double> means;
  for (size_t i = 0; i < scored.size(); ++i) {
    const std::vector<double> reference = numbers(expected[i].require("tokens", ""));
    const std::vector<double> tokens = numbers(scored[i].require("likelihood_tokens", ""));
    ASSERT_EQ(tokens.size(), reference.size()) << i;
    for (size_t j = 0; j < tokens.size(); ++j) EXPECT_NEAR(tokens[j], reference[j], 1e-5) << i;
    EXPECT_NEAR(score_of(scored[i]), mean(reference), 1e-5) << i;
    EXPECT_NEAR(score_of(scored[i]), mean(tokens), 1e-12) << i;
    EXPECT_NEAR(score_of(scored[i], "likelihood_sum"),
                score_of(scored[i]) * static_cast<double>(tokens.size()), 1e-9);
    EXPECT_EQ(scored[i].require_string("target", ""), expected[i].require_string("target", ""));
    means.push_back(mean(reference));
  }
  const Json summary = Json::parse_file(file("summary.json"));
  EXPECT_NEAR(value_of(summary, "mean", {.metric = "likelihood"}), mean(means), 1e-5);
  // One source is too long for BART's and GPT-2's positions.
  const std::string cut = name == "t5" ? "|trunc:0+0/21|" : "|trunc:1+0/21|";
  expect_contains(signature_of(summary, "likelihood"), cut);
  EXPECT_EQ(Json(recorded(summary, "truncated", "likelihood", "row")).dump(),
            name == "t5" ? "[]" : "[8]");
  expect_contains(outcome.err, "likelihood_sum -");
}

TEST_P(ScoreLikelihoodParity, AnEndCanBeLeftOut) {
  const std::string name = GetParam();
  const auto& expected = likelihood_expected().require(name, "").array();
  write_fixture_rows(name);
  ASSERT_EQ(score(likelihood_model(name), {"--no-eos", "--per-token"}).code, 0);
  const std::vector<Json> scored = read_lines("scored.out");
  for (size_t i = 0; i < scored.size(); ++i) {
    if (name == "gpt2" && i == 8) continue;  // the cut one: a shorter target leaves more room
    std::vector<double> reference = numbers(expected[i].require("tokens", ""));
    reference.pop_back();
    const std::vector<double> tokens = numbers(scored[i].require("likelihood_tokens", ""));
    ASSERT_EQ(tokens.size(), reference.size()) << i;
    EXPECT_NEAR(mean(tokens), mean(reference), 1e-5) << i;
  }
}

TEST_P(ScoreLikelihoodParity, WeightsOfEightBitsAreNearAndNamed) {
  const std::string name = GetParam();
  const auto& expected = likelihood_expected().require(name, "").array();
  write_fixture_rows(name);
  const Outcome outcome = done(score(likelihood_model(name), {"--int8"}));
  expect_contains(outcome.err, "|weights:int8|pairs:");
  const std::vector<Json> scored = read_lines("scored.out");
  ASSERT_EQ(scored.size(), expected.size());
  double largest = 0;
  for (size_t i = 0; i < scored.size(); ++i) {
    const double exact = mean(numbers(expected[i].require("tokens", "")));
    largest = std::max(largest, std::abs(score_of(scored[i]) - exact));
  }
  EXPECT_GT(largest, 1e-5);
  EXPECT_LT(largest, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Models, ScoreLikelihoodParity, testing::Values("t5", "bart", "gpt2"));

TEST_F(ScoreLikelihood, TheDecoderMayStartWithTheSourcesLastToken) {
  for (const std::string name : {"t5", "bart"}) {
    const auto& expected = likelihood_expected().require(name, "").array();
    write_fixture_rows(name);
    const Outcome outcome = done(score(likelihood_model(name), {"--decoder-start", "last-input"}));
    expect_contains(outcome.err, "|start:last-input|");
    const std::vector<Json> scored = read_lines("scored.out");
    for (size_t i = 0; i < scored.size(); ++i) {
      EXPECT_NEAR(score_of(scored[i]), mean(numbers(expected[i].require("last_input", ""))), 1e-5);
    }
  }
}

// To a causal model the start and the source's end are nothing: no signature may differ by them.
TEST_F(ScoreLikelihood, ACausalModelsSignatureHasWhatCounts) {
  write_lines("rows.jsonl", {source_target("the baker told her", "no bread")});
  const std::string model = likelihood_model("gpt2");
  const Outcome outcome = score(model), other = score(model, {"--no-source-eos"});
  EXPECT_EQ(outcome.err, other.err);
  expect_contains(outcome.err, "|eos:yes|trunc:0+0/1|");
  EXPECT_FALSE(holds(outcome.err, "start:")) << outcome.err;
  expect_contains(score(likelihood_model("bart")).err, "|start:model|eos:yes|source_eos:yes|");
}

TEST_F(ScoreLikelihood, ScoresKeepWhatIsThere) {
  Json row = source_target("the baker told her", "no bread");
  row["scores"]["f1"] = 0.5;
  row["note"] = "kept";
  write_lines("rows.jsonl", {row});
  done(run({"score", "likelihood", "--model", likelihood_model("t5"), "--input", file("rows.jsonl"),
            "--output", file("scored.out")}));
  const Json scored = read_lines("scored.out").at(0);
  EXPECT_EQ(score_of(scored, "f1"), 0.5);
  EXPECT_LT(score_of(scored), 0);
  EXPECT_EQ(scored.require_string("note", ""), "kept");
}

TEST_F(ScoreLikelihood, TokensThatAreThereAreNotReplaced) {
  Json row = source_target("the baker told her", "no bread");
  row["likelihood_tokens"] = Json::Array{Json(-1.5)};
  write_lines("rows.jsonl", {row});
  const std::string t5 = likelihood_model("t5");
  expect_message(score(t5, {"--per-token"}), 2, {"\"likelihood_tokens\" already", "rows.jsonl:1"});
  EXPECT_EQ(score(t5).code, 0);
  EXPECT_EQ(numbers(read_lines("scored.out").at(0).require("likelihood_tokens", "")),
            std::vector<double>{-1.5});
}

TEST_F(ScoreLikelihood, FieldsMayHaveOtherNames) {
  write_file(file("rows.csv"), "passage,answer\nthe baker told her,no bread\n");
  write_lines("rows.jsonl", {source_target("the baker told her", "no bread")});
  ASSERT_EQ(score(likelihood_model("t5")).code, 0);
  const double expected = score_of(read_lines("scored.out").at(0));
  done(run({"score", "likelihood", "--model", likelihood_model("t5"), "--input", file("rows.csv"),
            "--field", "source=passage", "--field", "target=answer", "--output",
            file("scored.out")}));
  EXPECT_EQ(score_of(read_lines("scored.out").at(0)), expected);
}

TEST_F(ScoreLikelihood, BadRowsAreNamedAndLeaveNothing) {
  const Json good = source_target("the baker", "no bread");
  const std::string t5 = likelihood_model("t5");
  Json no_target = good;
  std::erase_if(no_target.object(), [](const auto& member) { return member.first == "target"; });
  for (const auto& [row, part] : std::vector<std::pair<Json, std::string>>{
           {source_target("the baker", ""), "\"target\" is empty"},
           {source_target("the baker", " "), "\"target\" is empty"},
           {no_target, "target"}}) {
    write_lines("rows.jsonl", {good, row});
    expect_message(score(t5), 2, {part, "rows.jsonl:2"});
  }
  // Whitespace to Unicode and a text to us, of which SentencePiece leaves nothing.
  write_lines("rows.jsonl", {good, source_target("the baker", "\u200b")});
  expect_message(score(t5), 2, {"no token is left of the target", "record \"2\""});
  write_lines("rows.jsonl", {good, source_target("", "no bread")});
  expect_message(score(t5, {"--no-source-eos"}), 2, {"no token is left of the source", "\"2\""});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
}

TEST_F(ScoreLikelihood, ACardMayRefuseWhatIsTooLong) {
  write_lines("rows.jsonl",
              {source_target("bread", "no bread"),
               source_target("the baker told her that the oven had broken", "bread")});
  const std::string model = copy_model("t5");
  write_file(model + "/rubric.yaml",
             "task: seq2seq\nseq2seq: {max_source: 12, max_target: 12, too_long: refuse}\n");
  expect_message(score(model), 2, {"the source has", "more than the 12", "record \"2\""});
  set_in_file(model + "/rubric.yaml", "refuse", "cut");
  const Outcome outcome = score(model);
  EXPECT_EQ(outcome.code, 0);
  expect_contains(outcome.err, "|trunc:1+0/2|");
}

TEST_F(ScoreLikelihood, BadOptionsAreNamed) {
  write_lines("rows.jsonl", {source_target("the baker", "no bread")});
  const std::string t5 = likelihood_model("t5");
  expect_message(score(t5, {"--decoder-start", "first-input"}), 2, {"first-input", "last-input"});
  expect_message(score(t5, {"--strip", "."}), 2, {"--strip is only valid for metrics of answers"});
  expect_message(score(t5, {"--source", ""}), 2, {"the template is empty", "--source"});
  expect_message(score(t5, {"--target", "answer"}), 2, {"no place for a field", "\"answer\""});
  expect_message(run({"score", "likelihood,f1", "--model", t5, "--input", file("rows.jsonl"),
                      "--output", file("scored.out")}),
                 2, {"likelihood reads other rows than the other metrics"});
  expect_message(
      run({"score", "f1", "--sum", "--input", file("rows.jsonl"), "--output", file("scored.out")}),
      2, {"--sum belongs to likelihood"});
  expect_message(
      run({"score", "likelihood", "--input", file("rows.jsonl"), "--output", file("scored.out")}),
      2, {"likelihood needs a model"});
}

TEST_F(ScoreLikelihood, BadModelsAreNamed) {
  write_lines("rows.jsonl", {source_target("the baker", "no bread")});
  std::string model = copy_model("t5");
  write_file(model + "/rubric.yaml", "task: lerc\n");
  expect_message(score(model), 2, {"the model was trained for lerc", model + "/rubric.yaml"});
  expect_message(score(std::string(fixtures_folder()) + "/lerc"), 2, {"\"bert\"", "config.json"});

  for (const char* const token : {"eos", "decoder_start"}) {
    model = copy_model("bart");
    fs::remove(model + "/generation_config.json");
    set_in_file(model + "/config.json", std::string("\"") + token + "_token_id\"", "\"unused\"");
    expect_message(score(model), 2, {std::string(token) + "_token_id", model + "/config.json"});
  }

  model = copy_model("t5");
  fs::remove(model + "/model.safetensors");
  expect_message(score(model), 2, {"no weights", model});
  fs::copy_file(std::string(fixtures_folder()) + "/bert/gelu/model.safetensors",
                model + "/model.safetensors");
  const Outcome strange = score(model);  // a list of tensors follows
  EXPECT_EQ(strange.code, 2);
  expect_says(strange.err, {"the weights do not fit the model", model});

  model = copy_model("t5");
  fs::resize_file(model + "/spiece.model", 2000);
  expect_message(score(model), 2, {model + "/spiece.model"});
  EXPECT_FALSE(fs::exists(file("scored.out")));
}

TEST_F(ScoreLikelihood, ALikelihoodThatIsNotFiniteIsNamed) {
  const std::string weights = copy_model("t5") + "/model.safetensors";
  models::NamedTensors tensors = models::read_safetensors(weights);
  for (auto& [name, tensor] : tensors) tensor.fill_(std::nan(""));
  models::write_safetensors(weights, tensors);
  write_lines("rows.jsonl", {source_target("the baker", "no bread")});
  expect_message(score(file("model")), 1, {"not finite", "record \"1\""});
}

}  // namespace rubric::cli::likelihood_command_test
