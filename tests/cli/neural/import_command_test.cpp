// `import allennlp` on the archives of tests/fixtures/make_allennlp.py, whose encoder is the tiny
// model of lerc/.
#include <cmath>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli::import_command_test {

const std::string kFixtures = fixtures_folder();

struct ImportCommand : testing::Test {
  ImportCommand() {
    fs::create_directories(folder_.path() / "models");
    fs::copy(kFixtures + "/lerc", folder_.path() / "models" / "bert-base-uncased");
  }
  Outcome import(const std::string& archive, const std::string& output = "out") const {
    return run({"rubric", "import", "allennlp", archive, "--output", folder_.file(output)},
               {{"RUBRIC_MODELS", folder_.file("models")}});
  }
  // Of a config.json that stands in the place of the fixture's.
  std::string with_config(const std::string& config) const {
    const std::string make = "cd " + folder_.path().string() + " && tar xzf " + kFixtures +
                             "/allennlp/zip.tar.gz && cat > config.json <<'END'\n" + config +
                             "\nEND\ntar czf changed.tar.gz config.json weights.th && rm -r "
                             "config.json weights.th vocabulary";
    EXPECT_EQ(std::system(make.c_str()), 0);
    return folder_.file("changed.tar.gz");
  }

  TemporaryFolder folder_;
};

TEST_F(ImportCommand, TheModelScoresAsTransformersDoes) {
  for (const char* name : {"zip", "pickle"}) {
    const Outcome outcome = done(import(kFixtures + "/allennlp/" + name + ".tar.gz", name));
    EXPECT_EQ(outcome.out, "model: " + folder_.file(name) + "\n");
    const Json rows = Json::parse_file(kFixtures + "/lerc/expected.json");
    std::string lines;
    for (const Json& row : rows.array()) lines += row.dump() + "\n";
    folder_.write("rows.jsonl", lines);
    const Outcome scored =
        done(run({"score", "lerc", "--model", folder_.file(name), "--input",
                  folder_.file("rows.jsonl"), "--output", folder_.file("scored")}));
    expect_contains(scored.err, "inputs:p,q,r,c|max:64|");
    LineReader scored_rows(folder_.file("scored"));
    std::string line;
    for (const Json& row : rows.array()) {
      ASSERT_TRUE(scored_rows.next(line));
      const double expected = row.find("expected")->find("pqac")->require_number("score", "");
      EXPECT_NEAR(Json::parse(line, "").find("scores")->require_number("lerc", ""), expected, 1e-5);
    }
  }
}

TEST_F(ImportCommand, TheFolderIsAModelDirectoryAndNothingElse) {
  ASSERT_EQ(import(kFixtures + "/allennlp/pickle.tar.gz").code, 0);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_.file("out"))) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"config.json", "model.safetensors", "rubric.yaml",
                                             "tokenizer_config.json", "vocab.txt"}));
  const std::string card = read_file(folder_.file("out/rubric.yaml"));
  expect_says(card, {"\ntask: lerc\n", "\ninputs: [passage, question, reference, candidate]\n",
                     "\nmax_length: 64\n", "hold_out: [quoref]"});
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"models", "out"}));
}

TEST_F(ImportCommand, RefusalsLeaveNothing) {
  const std::string archive = kFixtures + "/allennlp/zip.tar.gz";
  expect_message(import(with_config(R"({"model": {"type": "bert"}})")), 2,
                 {"a model of the type \"bert\"", "config.json"});
  expect_message(import(with_config("{")), 2, {"not valid JSON", "changed.tar.gz: config.json"});
  folder_.write("cut.tar.gz", read_file(archive).substr(0, 50000));
  expect_message(import(folder_.file("cut.tar.gz")), 2, {"damaged or truncated"});
  expect_message(import(folder_.file("none.tar.gz")), 2, {"none.tar.gz"});
  const std::string empty = folder_.file("");
  expect_message(
      run({"rubric", "import", "allennlp", folder_.file("none.tar.gz"), "--output", "out"},
          {{"RUBRIC_MODELS", empty}}),
      2, {"none.tar.gz"});
  folder_.write("mine/file", "text");
  expect_message(import(archive, "mine"), 2, {"there is something of this name already"});
  EXPECT_FALSE(fs::exists(folder_.file("out")));

  // An encoder of more layers.
  const std::string config = folder_.file("models/bert-base-uncased/config.json");
  std::string text = read_file(config);
  text.replace(text.find("\"num_hidden_layers\": 2"), 22, "\"num_hidden_layers\": 3");
  write_file(config, text);
  expect_message(import(archive), 2, {"do not fit each other", "zip.tar.gz"});
  fs::remove_all(folder_.file("models"));
  expect_message(import(archive), 2, {"scripts/download bert-base-uncased"});
  EXPECT_FALSE(fs::exists(folder_.file("out")));
}

TEST_F(ImportCommand, TheCommandLineIsChecked) {
  expect_message(run({"rubric", "import", "allenlp", "x", "--output", folder_.file("out")}), 2,
                 {"did you mean", "allennlp"});
  expect_message(run({"rubric", "import", "allennlp", "x"}), 2, {"output"});
}

}  // namespace rubric::cli::import_command_test
