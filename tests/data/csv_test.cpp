#include "data/csv.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, char separator = ',') {
  Rows rows;
  for (const CsvRecord& record : parse_csv(text, separator, "f.csv")) rows.push_back(record.fields);
  return rows;
}

std::string csv_error(const std::string& text) {
  return input_error([&] { rows_of(text); });
}

TEST(Csv, SplitsLinesIntoFields) {
  EXPECT_EQ(rows_of("a,b\n1,2\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("a,b\r\n1,\r\n,2"), (Rows{{"a", "b"}, {"1", ""}, {"", "2"}}));
  EXPECT_EQ(rows_of("a b , c\n"), (Rows{{"a b ", " c"}}));
  EXPECT_EQ(rows_of("a\"b,c"), (Rows{{"a\"b", "c"}}));
}

TEST(Csv, QuotedFieldsHoldAnything) {
  EXPECT_EQ(rows_of("\"a,\"\"b\"\"\",\"\"\n\"one\r\ntwo\",3\r\n"),
            (Rows{{"a,\"b\"", ""}, {"one\r\ntwo", "3"}}));
  EXPECT_EQ(rows_of("x,\"\"\"\""), (Rows{{"x", "\""}}));
}

TEST(Csv, TabSeparatedFieldsAreNeverQuoted) {
  EXPECT_EQ(rows_of("\"a\tb, c\"\n\"\t'", '\t'), (Rows{{"\"a", "b, c\""}, {"\"", "'"}}));
}

TEST(Csv, BlankLinesAndTheByteOrderMarkAreNoData) {
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "a,b\n\n\r\n1,2\n\n"),
            (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of(""), Rows());
  EXPECT_EQ(rows_of("\n\n"), Rows());
}

TEST(Csv, RecordsKnowTheirFirstLine) {
  const auto records = parse_csv("a\n\n\"1\n2\n3\"\nb\n", ',', "f.csv");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].line, 1);
  EXPECT_EQ(records[1].line, 3);
  EXPECT_EQ(records[2].line, 6);
}

TEST(Csv, ErrorsNameTheLine) {
  const std::string advice = "double the quotes inside a quoted field";
  EXPECT_EQ(csv_error("a,b\nc,\"open\nd"),
            error_lines("a quote is opened and never closed", "f.csv:2", advice));
  EXPECT_EQ(csv_error("a\n\"b\nc\"d,e\n"),
            error_lines("text follows a closing quote", "f.csv:3", advice));
  expect_contains(csv_error("a\n\""), "f.csv:2");
  expect_contains(csv_error("a,\xC3\n"), "not UTF-8");
}

}  // namespace
}  // namespace rubric
