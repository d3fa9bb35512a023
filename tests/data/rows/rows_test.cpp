#include "data/rows/rows.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data {
namespace {

std::string table_error(const std::string& text, InputFormat format = InputFormat::csv) {
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
  expect_contains(table_error("{\"id\": 1}\r{\"id\": 2}\r", InputFormat::jsonl), problem);
  expect_contains(table_error("id,f1\r1,2\r3,4\r\n"), problem);  // and one line feed
  EXPECT_EQ(table_error("id,f1\r\n1,2\r\n"), "accepted");
  EXPECT_EQ(table_error("{\"id\": 1}\r\n{\"id\": 2}\r\r\n", InputFormat::jsonl), "accepted");
}

TEST(Rows, ADataSetsOwnFormatHasNone) {
  const std::string message = table_error("{}", InputFormat::mocha);
  expect_contains(message, "the format mocha is no file of rows");
  expect_contains(message, "t.csv");
}

}  // namespace
}  // namespace rubric::data
