#include "data/rows/csv.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data::csv_test {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, char separator = ',', Quoting quoting = Quoting::quoted) {
  Rows rows;
  for (const CsvRecord& record : parse_csv(text, separator, quoting, "f.csv")) {
    rows.push_back(record.fields);
  }
  return rows;
}

std::string csv_error(const std::string& text, char separator = ',') {
  return input_error([&] { rows_of(text, separator); });
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

TEST(Csv, PlainQuotesAreText) {
  EXPECT_EQ(rows_of("\"a\tb, c\"\n\"\t'", '\t', Quoting::plain),
            (Rows{{"\"a", "b, c\""}, {"\"", "'"}}));
}

TEST(Csv, TabSeparatedFieldsAreQuotedAsOthersAre) {
  EXPECT_EQ(rows_of("\"a\tb\"\t\"one\ntwo\"\nsay \"hi\"\t\"\"\"so\"\" he\"\n", '\t'),
            (Rows{{"a\tb", "one\ntwo"}, {"say \"hi\"", "\"so\" he"}}));
}

// A quote that begins a field and is meant as text swallows no row, wherever the next one stands.
TEST(Csv, StrayQuotesBetweenTabsAreNamed) {
  for (const char* text : {"a\tb\n\"c\td\ne\tf\n", "a\tb\n\"c\" d\te\n", "a\tb\n\"c\td\n\"e\tf\n",
                           "a\tb\nc\t\"d\ne\tf\"\n", "a\tb\n\"c\td\ne\"\tf\n"}) {
    const std::string message = csv_error(text, '\t');
    expect_says(message, {"f.csv:2", "double the quotes inside it"});
  }
}

TEST(Csv, BlankLinesAndTheByteOrderMarkAreNoData) {
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "a,b\n\n\r\n1,2\n\n"),
            (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of(""), Rows());
  EXPECT_EQ(rows_of("\n\n"), Rows());
}

TEST(Csv, RecordsKnowTheirFirstLine) {
  const auto records = parse_csv("a\n\n\"1\n2\n3\"\nb\n", ',', Quoting::quoted, "f.csv");
  ASSERT_EQ(records.size(), 4u);  // of one column: the blank line is an empty cell
  EXPECT_EQ(records[0].line, 1);
  EXPECT_EQ(records[1].line, 2);
  EXPECT_EQ(records[2].line, 3);
  EXPECT_EQ(records[3].line, 6);
}

TEST(Csv, ErrorsNameTheLine) {
  const std::string advice =
      "quote a field that begins with a quote, and double the quotes inside it: \"\"\"so\"\", he "
      "said\"";
  EXPECT_EQ(csv_error("a,b\nc,\"open\nd"),
            error_lines("a quote is opened and never closed", "f.csv:2",
                        advice + "; the file may be cut off"));
  EXPECT_EQ(csv_error("a\n\"b\nc\"d,e\n"),
            error_lines("text follows the closing quote of the field that begins here", "f.csv:2",
                        advice));
  expect_contains(csv_error("a\n\""), "f.csv:2");
  EXPECT_EQ(
      csv_error("a,b\n\xC3,c\n"),
      error_lines("not UTF-8", "f.csv:2",
                  "convert the file; one that Excel saved as \"CSV\" is often in WINDOWS-1252: "
                  "iconv -f WINDOWS-1252 -t UTF-8 'f.csv' > NEW"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(csv_error(std::string("a,b\nc,d\n\"e\n\0\",f\n", 16)), "accepted");
  expect_contains(testing::internal::GetCapturedStderr(),
                  "warning: f.csv:4: a character 0 (NUL), which counts as a part of its text");
}

}  // namespace rubric::data::csv_test
