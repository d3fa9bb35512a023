#include "data/source_target.h"

#include <gtest/gtest.h>

#include "data/rows.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

class SourceTargets : public testing::Test {
 protected:
  std::vector<SourceTarget> read(const std::string& name, const std::string& text,
                                 const FieldNames& names = {}, Targets targets = Targets::required,
                                 int64_t limit = 0) const {
    const auto file = folder_.write(name, text);
    return read_source_targets(file, input_format("", file), names, targets, limit);
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
      parse_field_names({"source=question", "target=a=b"}, source_target_fields());
  const std::string row = R"({"question": "q", "a=b": "t", "source": 3})";
  const std::vector<SourceTarget> records = read("r.jsonl", row, names);
  EXPECT_EQ(records[0].source, "q");
  EXPECT_EQ(records[0].target, "t");
  EXPECT_EQ(error("r.csv", "question,target\nq,t\n", names, Targets::optional),
            error_lines("the field \"a=b\" is missing", where("r.csv", 2),
                        "rename what holds it or, where the command takes --field, name it: "
                        "--field target=…; the row's fields (of a table: the names in its first "
                        "line) are \"question\", \"target\""));
  expect_contains(input_error([] { parse_field_names({"passage=x"}, source_target_fields()); }),
                  "the fields are id, source, target");
}

TEST_F(SourceTargets, TargetsAreOptionalWhereNothingIsMadeOfThem) {
  const std::string rows = "{\"source\": \"a\"}\n{\"source\": \"b\", \"target\": null}\n";
  EXPECT_EQ(read("r.jsonl", rows, {}, Targets::optional)[1].target, "");
  expect_contains(error("r.jsonl", rows), "\"target\" is missing");
  for (const char* target : {"", " "}) {
    const std::string csv = "source,target\na,b\nb,\"" + std::string(target) + "\"\n";
    EXPECT_EQ(error("r.csv", csv), error_lines("the field \"target\" is empty", where("r.csv", 3),
                                               "give a target, or leave the row out"));
    EXPECT_EQ(read("r.csv", csv, {}, Targets::optional).size(), 2u);
  }
}

TEST_F(SourceTargets, WhatIsNoTextIsRefused) {
  expect_contains(error("r.jsonl", R"({"target": "t"})"), "\"source\" is missing");
  expect_contains(error("r.jsonl", R"({"source": ["s"], "target": "t"})"), where("r.jsonl", 1));
  expect_contains(error("r.jsonl", R"({"source": "s", "target": 3})"), "it is a number");
  expect_contains(error("r.jsonl", R"({"source": "s", "target": []})", {}, Targets::optional),
                  "\"target\" must be a string");
  EXPECT_EQ(error("r.csv", "source,target\n"),
            error_lines("the file has no rows", folder_.file("r.csv")));
  EXPECT_EQ(error("dev.json", "{}"),
            error_lines("the format mocha has no sources and targets", folder_.file("dev.json"),
                        "give rows: jsonl, csv or tsv"));
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
  WholeSourceTargets whole = read_whole_source_targets(file, InputFormat::jsonl);
  check_scores(whole);
  add_scores(whole, {{"m"}, {{0.5}, {1.5}}});
  write_rows(folder_.file("out"), whole.rows);
  EXPECT_EQ(read_file(folder_.file("out")),
            "{\"n\": 1.50, \"source\": \"a\", \"target\": \"b\", \"scores\": {\"m\": 0.5}}\n"
            "{\"source\": \"c\", \"scores\": {\"old\": 3, \"m\": 1.5}, \"target\": \"d\"}\n");
  EXPECT_EQ(whole.records[1].target, "d");
  EXPECT_EQ(whole.wheres[1], where("r.jsonl", 2));
}

TEST_F(SourceTargets, ScoresThatCannotBeMergedAreRefused) {
  const auto file = folder_.write("r.csv", "source,target,scores\na,b,5\n");
  const WholeSourceTargets whole = read_whole_source_targets(file, InputFormat::csv);
  expect_contains(input_error([&] { check_scores(whole); }),
                  "\"scores\" must be an object, it is a string\n  where: " + where("r.csv", 2));
}

}  // namespace
}  // namespace rubric
