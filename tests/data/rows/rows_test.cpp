#include "data/rows/rows.h"

#include <set>

#include <gtest/gtest.h>

#include "core/context.h"
#include "core/files/gzip.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data {
namespace {

std::string table_error(const std::string& text, InputFormat format = InputFormat::kCsv) {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", text);
  return input_error(
      [&] { visit_rows(file, format, [](const Json&, const std::string&) { return true; }); });
}

TEST(Rows, EveryColumnHasAName) {
  EXPECT_EQ(table_error("id,f1\n1,2\n"), "accepted");
  expect_contains(table_error(",id,f1\n0,1,2\n"), "column 1 has no name");
  expect_contains(table_error("id, ,f1\n1,,2\n"), "column 2 has no name");
  expect_contains(table_error("id,f1,\n1,2,\n"), "t.csv:1");
  expect_contains(table_error("f1, f1\n1,2\n"), "two columns are named \"f1\"");
}

TEST(Rows, LinesThatEndInCarriageReturnsAloneAreNamed) {
  const std::string problem = "lines end in a carriage return alone";
  expect_contains(table_error("id,f1\r1,2\r3,4\r"), problem);
  expect_contains(table_error("{\"id\": 1}\r{\"id\": 2}\r", InputFormat::kJsonl), problem);
  expect_contains(table_error("id,f1\r1,2\r3,4\r\n"), problem);  // and one line feed
  expect_contains(table_error("\xFF\r\x80\n", InputFormat::kJsonl), "not valid JSON");
  EXPECT_EQ(table_error("id,f1\r\n1,2\r\n"), "accepted");
  EXPECT_EQ(table_error("{\"id\": 1}\r\n{\"id\": 2}\r\r\n", InputFormat::kJsonl), "accepted");
}

TEST(Rows, FieldsAreNamedOneByOne) {
  const auto names = [](const std::string& assignment) {
    return input_error([&] { parse_field_names({assignment}, {"candidate", "reference"}); });
  };
  EXPECT_EQ(names("candidate=x,reference=y"),
            error_lines("more than one field is named at once", "--field candidate=x,reference=y",
                        "give each a --field of its own"));
  for (const char* theirs : {"x, the last", "a=b", "f (k=5, n=3)", "x,y=z"}) {
    EXPECT_EQ(names(std::string("candidate=") + theirs), "accepted");
  }
}

std::vector<Json> rows_of(const std::string& text, InputFormat format) {
  const TemporaryFolder folder;
  std::vector<Json> rows;
  visit_rows(folder.write("file", text), format, [&](Json row, const std::string&) {
    rows.push_back(std::move(row));
    return true;
  });
  return rows;
}

TEST(Rows, AnArrayHasTheRowsOfLines) {
  const auto rows = rows_of("[{\"a\": 1},\n {\"a\": [2]}]\n", InputFormat::kJson);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].dump(), "{\"a\": [2]}");
  const auto error = [](const std::string& text) {
    return input_error([&] { rows_of(text, InputFormat::kJson); });
  };
  expect_contains(error("[{}, 3]"), "expected an object, found a number");
  expect_contains(error("[{}, 3]"), "row 2");
  expect_contains(error("{}"), "expected an array of rows");
  EXPECT_EQ(error("[]"), "accepted");
}

// Lines for three batches, and for two threads in each.
TEST(Rows, AreVisitedInOrderUntilTheFirstProblem) {
  Context context;
  context.threads = 2;
  const ContextScope scope(context);
  constexpr int kRows = 40'000;
  const std::string filler = ", \"text\": \"" + std::string(100, 'x') + "\"";
  int stop = 0;
  const auto last_visited = [&](std::set<int> bad, std::string& error) {
    std::string text;
    for (int i = 1; i <= kRows; ++i) {
      text += bad.contains(i) ? "[1]\n" : "{\"id\": " + std::to_string(i) + filler + "}\n";
    }
    const TemporaryFolder folder;
    const auto file = folder.write("t.jsonl", text);
    int last = 0;
    error = input_error([&] {
      visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
        EXPECT_EQ(row.find("id")->number(), ++last);
        EXPECT_TRUE(where.ends_with(":" + std::to_string(last))) << where;
        return last != stop;
      });
    });
    return last;
  };
  std::string error;
  EXPECT_EQ(last_visited({}, error), kRows);
  EXPECT_EQ(error, "accepted");
  EXPECT_EQ(last_visited({kRows - 1}, error), kRows - 2);
  expect_contains(error, ":" + std::to_string(kRows - 1));
  EXPECT_EQ(last_visited({7, kRows - 1}, error), 6);
  expect_contains(error, "t.jsonl:7");
  stop = 25'000;
  EXPECT_EQ(last_visited({stop + 1}, error), stop);
  EXPECT_EQ(error, "accepted");
}

// Standard input is read as lines.
TEST(Rows, WhatBeginsLikeAnArrayAmongLinesIsOne) {
  for (const char* text :
       {"[{\"a\": 1}, {\"a\": [2]}]", "\n [\r\n{\"a\": 1},\n{\"a\": [2]}\n]\n"}) {
    const auto rows = rows_of(text, InputFormat::kJsonl);
    ASSERT_EQ(rows.size(), 2U) << text;
    EXPECT_EQ(rows[1].dump(), "{\"a\": [2]}");
  }
  const auto error = [](const std::string& text) {
    return input_error([&] { rows_of(text, InputFormat::kJsonl); });
  };
  expect_contains(error("[{\"a\": 1}\n"), "not valid JSON");
  expect_contains(error("[{\"a\": 1}]\n{\"a\": 1}\n"), "not valid JSON");
  expect_contains(error("[{}, 3]"), "row 2");
  expect_contains(error("{\"a\": 1}\n[{}]\n"), "one object a line");
}

TEST(Rows, SemicolonsSeparateWhereTheHeaderHasNoComma) {
  // As Excel writes numbers and texts where the comma is the sign of decimals.
  const auto rows =
      rows_of("id;f1;text;whole\n1;0,25;a, b;3\n2;-1,5e2;\"c;d\";4\n3;;0,5;5\n", InputFormat::kCsv);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].dump(), R"({"id": "1", "f1": "0.25", "text": "a, b", "whole": "3"})");
  EXPECT_EQ(rows[1].dump(), R"({"id": "2", "f1": "-1.5e2", "text": "c;d", "whole": "4"})");
  EXPECT_EQ(rows[2].dump(), R"({"id": "3", "f1": "", "text": "0,5", "whole": "5"})");
  EXPECT_EQ(rows_of("a,b;c\n1,2\n", InputFormat::kCsv)[0].dump(), R"({"a": "1", "b;c": "2"})");
  InputFormat bars = InputFormat::kCsv;
  bars.separator = '|';
  EXPECT_EQ(rows_of("a|b\n1,5|2\n", bars)[0].dump(), R"({"a": "1,5", "b": "2"})");
}

TEST(Rows, AreReadFromCompressedFilesAndUtf16) {
  const std::string csv = "a,b\n1,2\n";
  std::string utf16 = "\xFF\xFE";
  for (const char c : csv) (utf16 += c) += '\0';
  for (const std::string& bytes : {csv, gzip(csv), utf16}) {
    EXPECT_EQ(rows_of(bytes, InputFormat::kCsv)[0].dump(), R"({"a": "1", "b": "2"})");
  }
  EXPECT_EQ(rows_of(gzip("[{\"a\": 1}]"), InputFormat::kJson)[0].dump(), "{\"a\": 1}");
}

TEST(Rows, ADataSetsOwnFormatHasNone) {
  const std::string message = table_error("{}", InputFormat::kMocha);
  expect_contains(message, "the format mocha is not a format of rows");
  expect_contains(message, "t.csv");
}

}  // namespace
}  // namespace rubric::data
