// What `score` refuses: one message with file, place and what to do, and nothing left behind.
#include <gtest/gtest.h>

#include "cases.h"
#include "cli/score/score_command.h"
#include "paths.h"

namespace rubric::cli::score_bad_input_test {

using ScoreBadInput = ScoreCommand;

TEST_F(ScoreBadInput, RowsAreNamed) {
  const std::string good = R"({"reference": "a", "candidate": "b"})"
                           "\n";
  std::string deep = good + R"({"reference": "a", "candidate": "b", "x": )";
  for (int i = 0; i < 200'000; ++i) deep += '[';
  auto bad =
      cases<std::string, std::string, std::vector<std::string>>("cli/score/bad_rows.json", "rows");
  bad.push_back({"deep.jsonl", deep, {"nested deeper than", "deep.jsonl:2"}});
  bad.push_back({"latin1.jsonl",
                 good + "{\"reference\": \"a\", \"candidate\": \"caf\xE9\"}\n",
                 {"UTF-8", "latin1.jsonl:2"}});
  for (const auto& [name, text, parts] : bad) {
    SCOPED_TRACE(name);
    folder_.write(name, text);
    expect_message(score("bleu1", name), 2, parts);
    EXPECT_EQ(folder_.names(), std::vector<std::string>{name});
    fs::remove(folder_.file(name));
  }
}

TEST_F(ScoreBadInput, ArgumentsAreNamed) {
  folder_.write("rows.jsonl", "{\"reference\": \"a\", \"candidate\": \"b\"}\n");
  folder_.write("rows.csv", "reference,candidate\na,b\n");
  const std::string rows = folder_.file("rows.jsonl"), table = folder_.file("rows.csv");
  expect_message(score("bleu1", "absent.jsonl"), 2, {"no such file", "absent.jsonl"});
  expect_message(score("rouge_1", "rows.jsonl"), 2, {"\"rouge_1\"", "did you mean rouge1?"});
  expect_message(score("em,", "rows.jsonl"), 2, {"a name in \"em,\" is empty"});
  expect_message(score("em,f1,em", "rows.jsonl"), 2, {"em is named twice"});
  expect_message(score("em", "rows.jsonl", {"--inptu-format", "csv"}), 2,
                 {"--inptu-format", "did you mean --input-format?"});
  expect_message(score("em", "rows.jsonl", {"f1"}), 2,
                 {"too many arguments", "separate metrics by commas"});
  expect_message(run({"score", "em", folder_.file("rows.jsonl")}), 2,
                 {"too many arguments", "write --input before the file's name"});
  expect_message(score("em", "rows.jsonl", {"--model", "minilm"}), 2,
                 {"no metric that is scored takes a model", "--model minilm"});
  expect_message(score("BLEU1", "rows.jsonl"), 2, {"\"BLEU1\"", "did you mean bleu1?"});
  expect_message(score("em", "rows.jsonl", {"--limit", "-1"}), 2, {"--limit is -1"});
  expect_message(score("em", "rows.jsonl", {"--input-format", "xml"}), 2, {"xml", "jsonl"});
  expect_message(score("em", "rows.jsonl", {"--field", "candidate"}), 2, {"ours=theirs"});
  expect_message(score("em", ".", {"--input-format", "jsonl"}), 2, {"a directory"});
  expect_message(run({"score", "em", "--input", "", "--output", output()}), 2,
                 {"--input is empty"});
  expect_message(score("em", "rows.csv", {"--delimiter", "::"}), 2, {"one ASCII character", "tab"});
  expect_message(score("em", "rows.jsonl", {"--delimiter", ";"}), 2, {"the format is jsonl"});
  expect_message(run({"score", "em", "--input", rows, "--output", folder_.file("")}), 2,
                 {"a folder", "--output"});
  expect_message(run({"score", "em", "--input", table, "--output", table}), 2,
                 {"would replace", "rows.csv"});
  expect_message(score("em", "rows.jsonl", {"--strip", "\xE9"}), 2, {"UTF-8", "--strip"});
  expect_message(score("em", "rows.jsonl", {"--summary", output()}), 2, {"would replace"});
  const std::string respelt =
      folder_.file("./" + std::filesystem::path(output()).filename().string());
  expect_message(score("em", "rows.jsonl", {"--summary", respelt}), 2, {"would replace"});
  expect_message(score("em", "rows.jsonl", {"--summary", rows}), 2, {"would replace"});
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"rows.csv", "rows.jsonl"}));
}

TEST_F(ScoreBadInput, TheOutputNeverReplacesItsInput) {
  const std::string rows = "{\"id\": 1, \"reference\": \"a\", \"candidate\": \"b\"}\n";
  const std::string mocha = read_file(std::string(source_folder()) + "/samples/mocha/test.json");
  for (const auto& [name, text] : {std::pair("rows.jsonl", rows), std::pair("mocha.json", mocha)}) {
    const std::string file = folder_.write(name, text);
    const std::string symbolic = folder_.file("link to " + std::string(name));
    const std::string hard = folder_.file("hard link to " + std::string(name));
    std::filesystem::create_symlink(file, symbolic);
    std::filesystem::create_hard_link(file, hard);
    for (const std::string& output : {file, symbolic, hard}) {
      expect_message(run({"score", "em", "--input", file, "--output", output}), 2,
                     {"this would replace " + file, "--output " + output});
    }
    EXPECT_EQ(read_file(file), text);
  }
}

TEST_F(ScoreBadInput, PlacesToWriteAreCheckedFirst) {
  // There is no input either: it is never looked at.
  const std::string absent = folder_.file("absent/scored.jsonl");
  expect_message(run({"score", "em", "--input", "absent.jsonl", "--output", absent}), 2,
                 {"--output " + absent, "mkdir -p " + folder_.file("absent")});
  expect_message(score("em", "absent.jsonl", {"--summary", absent}), 2, {"--summary " + absent});
}

}  // namespace rubric::cli::score_bad_input_test
