#include <gtest/gtest.h>

#include "data/rows/csv.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::columns_test {

TEST(Columns, AreFoundByName) {
  const TemporaryFolder folder;
  const ColumnTable table = read_columns(folder.write("a.csv", ",id,text\n0,x,\"a\nb\"\n1,y,c\n"));
  EXPECT_EQ(column_of(table, "text", "a table"), 2u);
  EXPECT_TRUE(has_column(table, "id"));
  EXPECT_FALSE(has_column(table, "Id"));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].fields[2], "a\nb");
  EXPECT_EQ(row_place(table, table.rows[1]), folder.file("a.csv") + ":4");
  // In a file of tabs a quote is text, and a comma, too.
  const ColumnTable tabs = read_columns(folder.write("a.tsv", "id\ttext\nx\t\"a, b\n"));
  EXPECT_EQ(tabs.rows[0].fields[1], "\"a, b");
}

TEST(Columns, RefusesWhatIsNoTable) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& text, const std::string& column) {
    return input_error(
        [&] { column_of(read_columns(folder.write("a.csv", text)), column, "the form"); });
  };
  EXPECT_EQ(error("a,b\n1,2\n", "c"),
            error_lines("the column \"c\" is missing", folder.file("a.csv") + ":1",
                        "give the form; the columns are \"a\", \"b\""));
  expect_contains(error("a,a\n1,2\n", "a"), "two columns are named \"a\"");
  EXPECT_EQ(error("a,b\n1,2\n1,2,3\n", "a"),
            error_lines("the row has 3 fields, the first line names 2", folder.file("a.csv") + ":3",
                        "quote a field that holds the separator: \"so, he said\""));
  expect_contains(error("", "a"), "the file is empty");
  expect_says(error("a,b\n\xFF,2\n", "a"), {"not UTF-8", "a.csv:2"});
}

}  // namespace rubric::data::columns_test
