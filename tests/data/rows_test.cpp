#include "data/rows.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

std::string table_error(const std::string& text) {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", text);
  return input_error([&] {
    visit_rows(file, InputFormat::csv, [](const Json&, const std::string&) { return true; });
  });
}

TEST(Rows, EveryColumnHasAName) {
  EXPECT_EQ(table_error("id,f1\n1,2\n"), "accepted");
  expect_contains(table_error(",id,f1\n0,1,2\n"), "column 1 has no name");
  expect_contains(table_error("id, ,f1\n1,,2\n"), "column 2 has no name");
  expect_contains(table_error("id,f1,\n1,2,\n"), "t.csv:1");
  expect_contains(table_error("f1, f1\n1,2\n"), "two columns are named \"f1\"");
}

}  // namespace
}  // namespace rubric
