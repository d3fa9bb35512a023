// `generate` on the tiny models of tests/fixtures/make_likelihood.py.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <set>
#include <thread>

#include <sys/stat.h>

#include "cli/neural/generate_command_fixture.h"
#include "models/weights/weights.h"
#include "paths.h"

namespace rubric::cli {
namespace {

TEST_F(GenerateCommand, KeepsTheRowsAndTheirOrder) {
  const std::vector<Json> rows = read_lines("rows.jsonl");
  const std::vector<std::string> written = texts(likelihood_model("t5"));
  const std::vector<Json> lines = read_lines("out.jsonl");
  ASSERT_EQ(lines.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    Json expected = rows[i];
    expected["generated"] = written[i];
    EXPECT_EQ(lines[i].dump(), expected.dump());
  }
  EXPECT_GT(std::set(written.begin(), written.end()).size(), 5u);  // sources matter
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"out.jsonl", "rows.jsonl"}));
  expect_contains(run(command(likelihood_model("t5"))).err, "25 rows in " + file("out.jsonl"));
  EXPECT_EQ(run(command(likelihood_model("t5"), {"--quiet"})).err, "");
}

TEST_F(GenerateCommand, ChatTemplatesThatCannotBeUsedAreRefused) {
  const auto expect_refusal = [&](const char* model, const char* family,
                                  const std::vector<std::string>& parts) {
    expect_message(run(command(likelihood_model(model), {"--chat-template", family})), 2, parts);
  };
  expect_refusal("t5", "auto", {"only a model that continues its source", "--chat-template"});
  expect_refusal("gpt2", "auto", {"no chat template", "--chat-template FAMILY", "chatml"});
  expect_refusal("gpt2", "chatmm", {"--chat-template", "chatml"});
  expect_contains(run(command(likelihood_model("gpt2"), {"--chat-template", "chatml"})).err,
                  "the model has no token <|im_end|>, which the chat template chatml writes");
}

// Who gives no length cannot have given too long a one.
TEST_F(GenerateCommand, TheUsualLengthFitsTheModel) {
  for (const std::string name : {"bart", "gpt2"}) {  // 64 positions
    for (const int64_t asked : {int64_t{0}, int64_t{500}}) {
      const std::string model = copy_model(name);
      const std::string card = "task: seq2seq\nseq2seq: {max_source: 500, max_target: 500}\n";
      if (asked > 0) write_file(model + "/rubric.yaml", card);
      done(run({"generate", "--model", model, "--input", file("rows.jsonl"), "--output",
                file("out.jsonl"), "--limit", "2"}));
    }
  }
}

// A pipe cannot be gone on with; renamed over, /dev/stdout would be gone.
TEST_F(GenerateCommand, OutputsThatAreNoFilesAreRefusedAtOnce) {
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  expect_message(run({"generate", "--model", file("none"), "--input", file("rows.jsonl"),
                      "--output", file("pipe")}),
                 2, {file("pipe"), "name a file"});
  EXPECT_TRUE(fs::is_fifo(file("pipe")));
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"pipe", "rows.jsonl"}));
}

TEST_F(GenerateCommand, TextsDoNotDependOnTheBatch) {
  for (const std::string name : {"t5", "bart", "gpt2"}) {
    for (const Arguments& how :
         {Arguments{}, {"--beams", "3"}, {"--do-sample", "--seed", "4", "--top-k", "50"}}) {
      const std::string model = likelihood_model(name);
      const auto with = [&](const char* batch) {
        Arguments all = how;
        all.insert(all.end(), {"--batch", batch});
        return generated(model, all);
      };
      const std::string one = with("1");
      EXPECT_EQ(with("7"), one) << name;
      EXPECT_EQ(with("100"), one) << name;
    }
  }
}

TEST_F(GenerateCommand, SamplesAreAFunctionOfTheSeed) {
  const std::string model = likelihood_model("t5");
  const auto first = texts(model, {"--do-sample", "--seed", "1"});
  EXPECT_EQ(texts(model, {"--do-sample", "--seed", "1"}), first);
  EXPECT_NE(texts(model, {"--do-sample", "--seed", "2"}), first);
  // The most probable token alone is left.
  EXPECT_EQ(texts(model, {"--do-sample", "--top-k", "1"}), texts(model));
}

TEST_F(GenerateCommand, OfCandidatesTheMostProbableIsChosen) {
  const std::string model = likelihood_model("t5");
  std::vector<Json> rows, pairs;
  for (size_t i = 0; i < 10; ++i) {
    Json row;
    row["source"] = "the " + kWords[i % 7];
    Json::Array candidates;
    for (size_t j = 0; j < 3 + i % 2; ++j) {
      candidates.emplace_back(kWords[(i + j * j) % 7] + " was left");
      pairs.push_back(source_target(row.require_string("source", ""), candidates.back().string()));
    }
    row["choices"] = candidates;
    rows.push_back(row);
  }
  write_lines("rows.jsonl", rows);
  write_lines("pairs.jsonl", pairs);
  ASSERT_EQ(run({"score", "likelihood", "--model", model, "--input", file("pairs.jsonl"),
                 "--output", file("scored.jsonl")})
                .code,
            0);
  done(run({"generate", "--model", model, "--input", file("rows.jsonl"), "--output",
            file("out.jsonl"), "--candidates", "choices"}));
  const std::vector<Json> scored = read_lines("scored.jsonl");
  size_t pair = 0;
  std::set<std::string> chosen;
  for (const Json& row : read_lines("out.jsonl")) {
    const Json::Array& choices = row.require_array("choices", "");
    const std::vector<double> likelihoods = numbers(row.require("generated_likelihoods", ""));
    ASSERT_EQ(likelihoods.size(), choices.size());
    size_t best = 0;
    for (size_t i = 0; i < choices.size(); ++i, ++pair) {
      EXPECT_NEAR(likelihoods[i],
                  scored[pair].require("scores", "").require_number("likelihood", ""), 1e-5);
      if (likelihoods[i] > likelihoods[best]) best = i;
    }
    EXPECT_EQ(row.require_string("generated", ""), choices[best].string());
    chosen.insert(row.require_string("generated", ""));
  }
  EXPECT_GT(chosen.size(), 3u);
}

TEST_F(GenerateCommand, WeightsOfEightBitsAreNear) {
  write_lines(
      "chosen.jsonl",
      {Json(Json::Object{{"source", "the bread"}, {"choices", Json::Array{"rain", "the oven"}}})});
  for (const std::string name : {"t5", "bart", "gpt2"}) {
    const std::string model = likelihood_model(name);
    EXPECT_EQ(generated(model, {"--int8", "--batch", "1"}), generated(model, {"--int8"})) << name;
    const auto likelihoods = [&](const Arguments& more) {
      done(run(joined({"generate", "--model", model, "--input", file("chosen.jsonl"), "--output",
                       file("chosen_out.jsonl"), "--candidates", "choices"},
                      more)));
      return numbers(read_lines("chosen_out.jsonl").front().require("generated_likelihoods", ""));
    };
    const std::vector<double> exact = likelihoods({}), rounded = likelihoods({"--int8"});
    for (size_t i = 0; i < exact.size(); ++i) {
      EXPECT_NE(rounded[i], exact[i]) << name;
      EXPECT_NEAR(rounded[i], exact[i], 0.1) << name;
    }
  }
}

TEST_F(GenerateCommand, CandidatesMayStandBehindWhatIsGiven) {
  const std::string model = likelihood_model("bart");
  Json row;
  row["source"] = "the baker";
  row["reason"] = "the oven had";
  row["choices"] = Json::Array{"broken", "lemons"};
  write_lines("rows.jsonl", {row});
  Arguments call = {
      "generate",        "--model",        model,     "--input", file("rows.jsonl"), "--output",
      file("out.jsonl"), "--candidates",   "choices", "--given", "{because}",        "--field",
      "because=reason",  "--output-field", "label"};
  done(run(call));
  const Json chosen = read_lines("out.jsonl")[0];
  // The candidate's tokens among those of the whole target.
  write_lines("whole.jsonl", {source_target("the baker", "the oven had broken"),
                              source_target("the baker", "the oven had")});
  ASSERT_EQ(run({"score", "likelihood", "--model", model, "--input", file("whole.jsonl"),
                 "--output", file("scored.jsonl"), "--per-token"})
                .code,
            0);
  const std::vector<Json> scored = read_lines("scored.jsonl");
  const std::vector<double> whole = numbers(scored[0].require("likelihood_tokens", ""));
  const size_t given =
      numbers(scored[1].require("likelihood_tokens", "")).size() - 1;  // less its end
  double sum = 0;
  for (size_t i = given; i < whole.size(); ++i) sum += whole[i];
  EXPECT_NEAR(numbers(chosen.require("label_likelihoods", ""))[0],
              sum / static_cast<double>(whole.size() - given), 1e-5);
  EXPECT_NE(chosen.require_string("label", ""), "");
}

TEST_F(GenerateCommand, TheCardsTemplatesAreFollowed) {
  const std::string model = copy_model("t5");
  write_file(model + "/rubric.yaml",
             "task: seq2seq\nseq2seq: {source: '{a} and {b}', target: 'it is {c}'}\n");
  Json row;
  row["a"] = "bread";
  row["b"] = "lemons";
  row["choices"] = Json::Array{"rain"};
  write_lines("rows.jsonl", {row});
  const std::string by_card = texts(model)[0];
  EXPECT_EQ(texts(model, {"--source", "bread and {b}"})[0], by_card);
  EXPECT_NE(texts(model, {"--source", "{b}"})[0], by_card);
  expect_message(run(command(model, {"--candidates", "choices"})), 2, {"nothing is decoded"});
  expect_message(run({"generate", "--model", model, "--input", file("rows.jsonl"), "--output",
                      file("x.jsonl"), "--candidates", "choices"}),
                 2, {"a candidate is only a part of", "--given"});
}

TEST_F(GenerateCommand, NoFieldIsReplaced) {
  const std::string model = likelihood_model("t5");
  Json row;
  row["source"] = "bread";
  row["generated"] = "mine";
  write_lines("rows.jsonl", {row});
  expect_message(run(command(model)), 2, {"\"generated\" already", "rows.jsonl:1"});
  EXPECT_EQ(run(command(model, {"--output-field", "ours"})).code, 0);
  EXPECT_EQ(read_lines("out.jsonl")[0].require_string("generated", ""), "mine");
}

// BART must end with it at the longest; an added token is no special one, and would be printed.
TEST_F(GenerateCommand, AnEndOfOnesOwnIsNoPartOfTheText) {
  const std::string model = file("model");
  fs::copy(std::string(fixtures_folder()) + "/rev/bart", model);
  for (const char* const settings : {"/special_tokens_map.json", "/tokenizer_config.json"}) {
    set_in_file(model + settings, "\"eos_token\": \"<eos>\"", "\"eos_token\": \"</s>\"");
  }
  write_file(model + "/rubric.yaml",
             "task: seq2seq\nseq2seq: {end: <eos>, source_eos: false, bos: false}\n");
  for (const std::string& text : texts(model)) {
    EXPECT_EQ(text.find("<eos>"), std::string::npos) << text;
    EXPECT_FALSE(text.ends_with(' ')) << text;
  }
}

TEST_F(GenerateCommand, BadOptionsAreNamed) {
  const std::string t5 = likelihood_model("t5");
  for (const auto& [options, part] : std::vector<std::pair<Arguments, std::string>>{
           {{"--temperature", "0.5"}, "--temperature is only valid with --do-sample"},
           {{"--top-k", "5"}, "--top-k is only valid with --do-sample"},
           {{"--seed", "5"}, "--seed is only valid with --do-sample"},
           {{"--source", "question"}, "no place for a field"},
           {{"--source", ""}, "--source is empty"},
           {{"--length-penalty", "2"}, "--length-penalty is only valid with --beams"},
           {{"--do-sample", "--beams", "2"}, "two ways to decode"},
           {{"--beams", "2", "--early-stopping", "maybe"}, "--early-stopping called \"maybe\""},
           {{"--do-sample", "--top-p", "1.5"}, "--top-p"},
           {{"--do-sample", "--temperature", "0"}, "--temperature"},
           {{"--decoder-start", "first"}, "first"},
           {{"--field", "source=text"}, "rows.jsonl:1"},
           {{"--candidates", "choices", "--do-sample"}, "chosen by their probability"},
           {{"--candidates", "choices", "--beams", "2"}, "chosen by their probability"},
           {{"--batch", "0"}, "--batch"}}) {
    expect_message(run(command(t5, options)), 2, {part});
  }
  const std::string rows = file("rows.jsonl");
  expect_message(run({"generate", "--model", t5, "--input", rows, "--output", rows}), 2,
                 {"--output", rows});
  for (const std::string name : {"bart", "gpt2"}) {
    expect_message(run({"generate", "--model", likelihood_model(name), "--input", rows, "--output",
                        file("out.jsonl"), "--max-new-tokens", "65"}),
                   2, {"positions for 64 tokens", "--max-new-tokens"});
  }
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
}

TEST_F(GenerateCommand, BadRowsAreNamedBeforeAnythingIsWritten) {
  const std::string t5 = likelihood_model("t5");
  const std::string good = "{\"source\": \"bread\"}\n";
  write_file(file("rows.jsonl"), good + "{\"target\": \"bread\"}\n");
  expect_message(run(command(t5)), 2, {"source", "rows.jsonl:2"});
  write_file(file("rows.jsonl"), good + "{\"id\": \"empty\", \"source\": \"\"}\n");
  expect_message(run(command(t5, {"--no-source-eos"})), 2,
                 {"no token is left of the source", "\"empty\""});
  write_file(file("rows.jsonl"), good + "{\"source\": \"her grandmother needed bread\"}\n");
  const std::string model = copy_model("t5");
  write_file(model + "/rubric.yaml",
             "task: seq2seq\nseq2seq: {max_source: 9, max_target: 12, too_long: refuse}\n");
  expect_message(run(command(model)), 2, {"the source has", "more than the 9", "record \"2\""});
  set_in_file(model + "/rubric.yaml", "refuse", "cut");
  expect_contains(run(command(model)).err,
                  "1 of 2 sources are too long and are cut at 9 tokens: records \"2\"");
  fs::remove_all(model);
  fs::remove(file("out.jsonl"));
  write_file(file("rows.jsonl"), good + "{\"source\": \"x\", \"choices\": [\"a\", \"\"]}\n");
  expect_message(run({"generate", "--model", t5, "--input", file("rows.jsonl"), "--output",
                      file("out.jsonl"), "--candidates", "choices"}),
                 2, {"choices", "rows.jsonl:1"});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
}

TEST_F(GenerateCommand, LogitsThatAreNotFiniteAreNamed) {
  const std::string weights = copy_model("t5") + "/model.safetensors";
  models::NamedTensors tensors = models::read_safetensors(weights);
  for (auto& [name, tensor] : tensors) tensor.fill_(std::nan(""));
  models::write_safetensors(weights, tensors);
  expect_message(run(command(file("model"))), 1, {"not finite"});
  expect_message(run(command(file("model"), {"--beams", "2"})), 1, {"not finite"});
}

}  // namespace
}  // namespace rubric::cli
