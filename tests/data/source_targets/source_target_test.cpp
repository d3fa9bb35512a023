#include "data/source_targets/source_target.h"

#include <gtest/gtest.h>

#include "config/request.h"
#include "data/rows/rows.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::source_target_test {

struct SourceTargets : testing::Test {
  std::vector<SourceTarget> read(const std::string& name, const std::string& text,
                                 const FieldNames& names = {}, Targets targets = Targets::required,
                                 int64_t limit = 0) const {
    const auto file = folder_.write(name, text);
    PairTexts texts{PairConfig()};
    texts.names = names;
    texts.targets = targets;
    return read_source_targets_with_rows(file, input_format("", file), texts, limit).records;
  }
  std::string error(const std::string& name, const std::string& text, const FieldNames& names = {},
                    Targets targets = Targets::required) const {
    return input_error([&] { read(name, text, names, targets); });
  }
  std::string where(const std::string& name, int line) const {
    return folder_.file(name) + ":" + std::to_string(line);
  }

  TemporaryFolder folder_;
};

// The same rows in every format.
TEST_F(SourceTargets, FormatsGiveTheSameRecords) {
  for (const auto& [name, text] :
       {std::pair<std::string, std::string>("r.jsonl",
                                            "{\"source\": \"a, b\", \"target\": \"c\", \"id\": 7}\n"
                                            "\n{\"target\": \"e\", \"source\": \"\"}\n"),
        {"r.csv", "id,source,target\n7,\"a, b\",c\n,,e\n"},
        {"r.tsv", "target\tsource\tid\nc\ta, b\t7\ne\t\t\n"}}) {
    const std::vector<SourceTarget> records = read(name, text);
    ASSERT_EQ(records.size(), 2u) << name;
    EXPECT_EQ(records[0].id, "7");
    EXPECT_EQ(records[0].source, "a, b");
    EXPECT_EQ(records[0].target, "c");
    EXPECT_EQ(records[1].id, "2") << "the row's number";
    EXPECT_EQ(records[1].source, "");
    EXPECT_EQ(records[1].target, "e");
  }
}

TEST_F(SourceTargets, FieldsMayHaveOtherNames) {
  const FieldNames names =
      PairTexts(PairConfig(), config::assignments_of({"source=question", "target=a=b"})).names;
  const std::string row = R"({"question": "q", "a=b": "t", "source": 3})";
  const std::vector<SourceTarget> records = read("r.jsonl", row, names);
  EXPECT_EQ(records[0].source, "q");
  EXPECT_EQ(records[0].target, "t");
  EXPECT_EQ(error("r.csv", "question,target\nq,t\n", names, Targets::optional),
            error_lines("the field \"a=b\" is missing", where("r.csv", 2),
                        "rename what holds it or, where the command takes --field, name it: "
                        "--field target=…; the row's fields (of a table: the names in its first "
                        "line) are \"question\", \"target\""));
  expect_contains(
      input_error([] { PairTexts(PairConfig(), config::assignments_of({"passage=x"})); }),
      "the fields are id, source, target");
}

TEST_F(SourceTargets, TargetsAreOptionalWhereNothingIsMadeOfThem) {
  const std::string rows = "{\"source\": \"a\"}\n{\"source\": \"b\", \"target\": \"c\"}\n";
  EXPECT_EQ(read("r.jsonl", rows, {}, Targets::optional)[1].target, "") << "not even read";
  expect_contains(error("r.jsonl", rows), "\"target\" is missing");
  for (const char* target : {"", " "}) {
    const std::string csv = "source,target\na,b\nb,\"" + std::string(target) + "\"\n";
    EXPECT_EQ(error("r.csv", csv), error_lines("the field \"target\" is empty", where("r.csv", 3),
                                               "give a text, or leave the row out"));
    EXPECT_EQ(read("r.csv", csv, {}, Targets::optional).size(), 2u);
  }
}

TEST_F(SourceTargets, WhatIsNoTextIsRefused) {
  expect_contains(error("r.jsonl", R"({"target": "t"})"), "\"source\" is missing");
  expect_contains(error("r.jsonl", R"({"source": ["s"], "target": "t"})"), where("r.jsonl", 1));
  expect_contains(error("r.jsonl", R"({"source": "s", "target": null})"), "\"target\" is null");
  expect_contains(error("r.jsonl", R"({"source": null, "target": "t"})"), "\"source\" is null");
  expect_contains(error("r.jsonl", R"({"source": "s", "target": {}})"),
                  "\"target\" must be a string");
  expect_contains(error("r.jsonl", R"({"source": [], "target": "t"})"), "{source:MARK}");
  EXPECT_EQ(error("r.csv", "source,target\n"),
            error_lines("the file has no rows", folder_.file("r.csv"),
                        "name a file with rows; a table needs some below its first line"));
  EXPECT_EQ(error("dev.json", "{}"),
            error_lines("the format mocha is not a format of rows", folder_.file("dev.json"),
                        "give rows: jsonl, json, csv or tsv"));
}

TEST_F(SourceTargets, TheLimitCountsRows) {
  const std::string rows = "source,target\na,b\nc,d\ne,\n";
  EXPECT_EQ(read("r.csv", rows, {}, Targets::required, 2).size(), 2u) << "the third is not read";
  EXPECT_EQ(read("r.csv", rows, {}, Targets::optional, 4).size(), 3u);
}

TEST_F(SourceTargets, ScoresJoinTheWholeRow) {
  const auto file = folder_.write("r.jsonl",
                                  "{\"n\": 1.50, \"source\": \"a\", \"target\": \"b\"}\n"
                                  "{\"source\": \"c\", \"scores\": {\"old\": 3, \"m\": 9},"
                                  " \"target\": \"d\"}\n");
  SourceTargetRows whole =
      read_source_targets_with_rows(file, InputFormat::kJsonl, PairTexts(PairConfig()));
  check_scores(whole);
  add_scores(whole, {{"m"}, {{0.5}, {1.5}}});
  write_rows(folder_.file("out"), whole.rows);
  EXPECT_EQ(read_file(folder_.file("out")),
            "{\"n\": 1.50, \"source\": \"a\", \"target\": \"b\", \"scores\": {\"m\": 0.5}}\n"
            "{\"source\": \"c\", \"scores\": {\"old\": 3, \"m\": 1.5}, \"target\": \"d\"}\n");
  EXPECT_EQ(whole.records[1].target, "d");
  EXPECT_EQ(whole.places[1], where("r.jsonl", 2));
}

TEST_F(SourceTargets, ScoresThatCannotBeMergedAreRefused) {
  const auto file = folder_.write("r.csv", "source,target,scores\na,b,5\n");
  const SourceTargetRows whole =
      read_source_targets_with_rows(file, InputFormat::kCsv, PairTexts(PairConfig()));
  expect_contains(input_error([&] { check_scores(whole); }),
                  "\"scores\" must be an object, it is a string\n  where: " + where("r.csv", 2));
}

struct Templates : SourceTargets {
  SourceTarget one(const std::string& row) const {
    const auto file = folder_.write("r.jsonl", row);
    return read_source_targets_with_rows(file, InputFormat::kJsonl, PairTexts(config_)).records[0];
  }
  std::string refusal(const std::string& row) const {
    return input_error([&] { one(row); });
  }
  PairConfig config_;
};

TEST_F(Templates, PairsAreMadeOfFields) {
  config_.source = "[question] {question} {choices:[choice]} [answer]";
  config_.target = "{label}";
  const SourceTarget pair =
      one(R"({"id": "a", "question": "Who?", "choices": ["me", "you"], "label": 5})");
  EXPECT_EQ(pair.source, "[question] Who? [choice] me [choice] you [answer]");
  EXPECT_EQ(pair.target, "5");
}

TEST_F(Templates, TextsThatWouldBreakThemAreRefused) {
  config_.source = "[rationale] {r} {choices:[choice]} <eos>";
  const auto row = [](const std::string& r, const std::string& choices) {
    return "{\"target\": \"t\", \"r\": \"" + r + "\", \"choices\": " + choices + "}";
  };
  EXPECT_EQ(one(row("a [b] <c>", "[\"x\"]")).source, "[rationale] a [b] <c> [choice] x <eos>");
  expect_contains(refusal(row("so [rationale]", "[\"x\"]")), "\"r\" holds [rationale]");
  expect_contains(refusal(row("a<eos>", "[\"x\"]")), "\"r\" holds <eos>");
  expect_contains(refusal(row("a [choice] b", "[\"x\"]")), "\"r\" holds [choice]");
  expect_contains(refusal(row("a", "[\"x <eos>\"]")), "\"choices\" holds <eos>");
  expect_contains(refusal(row("a", "[\"x [choice] y\"]")), "\"choices\" holds [choice]");
  expect_contains(refusal(row(" ", "[\"x\"]")), "\"r\" is empty");
  expect_contains(refusal(row("a", "[]")), "\"choices\" is empty");
  expect_contains(refusal(row("a", "[3]")), "lists a number");
  expect_contains(refusal(row("a", "\"x\"")), "the template needs a list there");
}

TEST_F(Templates, OnesThatAreNoneAreRefused) {
  config_.source = "{question";
  expect_contains(input_error([&] { PairTexts texts(config_); }),
                  "a brace is not closed in the template \"{question\"\n  where: seq2seq.source");
  // Braces forgotten: every row would be the same pair.
  config_.source = "question";
  expect_contains(input_error([&] { PairTexts texts(config_); }),
                  "the template of the source has no place for a field\n  where: \"question\"");
  config_.source = "{source}";
  config_.target = "";
  expect_contains(input_error([&] { PairTexts texts(config_); }),
                  "the template of the target has no place for a field");
}

}  // namespace rubric::data::source_target_test
