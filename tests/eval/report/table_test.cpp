#include "eval/report/table.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace rubric::eval::table_test {

Table example_table() {
  return {"Title", {"name", "r"}, {{"a|b", "0.5"}, {"字é", "-10"}}, {Align::left}, {"a note"}};
}

std::string printed(const Table& table, OutputFormat format) {
  return print_tables({&table, 1}, format);
}

TEST(Table, TextAlignsByDisplayWidth) {
  EXPECT_EQ(printed(example_table(), OutputFormat::text),
            "Title\n\n"
            "name    r\n"
            "----  ---\n"
            "a|b   0.5\n"
            "字é   -10\n"
            "\na note\n");
  const Table marks{"", {"x", "y"}, {{"e\u0301", "1"}}, {}, {}};  // a combining mark takes no room
  EXPECT_EQ(printed(marks, OutputFormat::text), "x  y\n-  -\ne\u0301  1\n");
}

TEST(Table, TextFitsTheTerminal) {
  const Table table{"",
                    {"system", "against", "r"},
                    {{"a_long_name_without_blanks", "two words here", "0.5"}},
                    {Align::left, Align::left},
                    {}};
  Table keyed = table;
  keyed.key_columns = 2;
  EXPECT_EQ(print_tables({&keyed, 1}, OutputFormat::text, 26),
            "system     against       r\n"
            "---------  ----------  ---\n"
            "a_long_na  two words   0.5\n"
            "me_withou  here\n"
            "t_blanks\n");
}

TEST(Table, TextHasNoControlCharacters) {
  const Table table{"", {"h"}, {{"a\x1b[31m\nb\xFF"}}, {Align::left}, {}};
  EXPECT_EQ(printed(table, OutputFormat::text), "h\n---------\na [31m b\uFFFD\n");
}

TEST(Table, MarkdownEscapes) {
  EXPECT_EQ(printed(example_table(), OutputFormat::markdown),
            "**Title**\n\n"
            "| name | r |\n| :-- | --: |\n"
            "| a\\|b | 0.5 |\n| 字é | -10 |\n"
            "\na note\n");
  const Table table{"", {"h"}, {{"*x*\n<b> `c`"}}, {}, {}};
  EXPECT_NE(printed(table, OutputFormat::markdown).find("| \\*x\\* \\<b> \\`c\\` |"),
            std::string::npos);
}

TEST(Table, LatexEscapes) {
  const Table table{"", {"h"}, {{"50% of a_b & {c} \\ ~ ^ $ # <>"}, {"[x]"}}, {Align::left}, {}};
  EXPECT_EQ(printed(table, OutputFormat::latex),
            "% needs \\usepackage{booktabs}\n\\begin{tabular}{l}\n\\toprule\nh \\\\\n\\midrule\n"
            "50\\% of a\\_b \\& \\{c\\} \\textbackslash{} \\textasciitilde{} \\textasciicircum{} "
            "\\$ \\# \\textless{}\\textgreater{} \\\\\n"
            "{[}x] \\\\\n\\bottomrule\n\\end{tabular}\n");
  const std::string noted = printed(example_table(), OutputFormat::latex);
  EXPECT_TRUE(noted.starts_with("% Title\n% needs ")) << noted;
  EXPECT_TRUE(noted.ends_with("\\end{tabular}\n% a note\n")) << noted;
}

TEST(Table, RaggedRowsAreFilled) {
  const Table table{"", {"a"}, {{"1", "2"}, {}}, {}, {}};
  EXPECT_EQ(printed(table, OutputFormat::text), "a\n-  -\n1  2\n\n");
}

TEST(Table, ANoteCountsTheGroupsThatAreNotShown) {
  EXPECT_EQ(groups_note(50), "");
  EXPECT_TRUE(groups_note(60).starts_with("the first 50 of 60 groups are shown"));
}

TEST(Table, FormatFixed) {
  EXPECT_EQ(format_fixed(0.12345, 3), "0.123");
  EXPECT_EQ(format_fixed(-0.0001, 3), "0.000");
  EXPECT_EQ(format_fixed(-0.5, 0), "0");
  EXPECT_EQ(format_fixed(-1.25, 1), "-1.2");
  EXPECT_EQ(format_fixed(-std::numeric_limits<double>::infinity(), 1), "-inf");
  EXPECT_EQ(format_fixed(1e308, 1).size(), 311u);
}

}  // namespace rubric::eval::table_test
