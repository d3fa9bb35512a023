#include "eval/report/table.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace rubric::eval {
namespace {

Table example_table() {
  return {"Title", {"name", "r"}, {{"a|b", "0.5"}, {"字é", "-10"}}, {Align::left}, {"a note"}};
}

TEST(Table, TextAlignsByDisplayWidth) {
  EXPECT_EQ(print_table(example_table(), OutputFormat::text),
            "Title\n\n"
            "name    r\n"
            "----  ---\n"
            "a|b   0.5\n"
            "字é   -10\n"
            "\na note\n");
  const Table marks{"", {"x", "y"}, {{"e\u0301", "1"}}, {}, {}};  // a combining mark takes no room
  EXPECT_EQ(print_table(marks, OutputFormat::text), "x  y\n-  -\ne\u0301  1\n");
}

TEST(Table, AnIntervalWithoutWidthIsNotedOnce) {
  const Table flat{"", {"r"}, {{"1.000 [1.000, 1.000]"}}, {}, {}};
  const Table wide{"", {"r"}, {{"1.000 [0.999, 1.000]"}, {"[1, 1]"}}, {}, {}};
  const auto count = [](const std::vector<Table>& tables, OutputFormat format) {
    const std::string text = print_tables(tables, format);
    int64_t found = 0;
    for (size_t at = 0; (at = text.find("interval with equal ends", at)) != text.npos; ++at)
      ++found;
    return found;
  };
  for (const auto format : {OutputFormat::text, OutputFormat::markdown, OutputFormat::latex}) {
    EXPECT_EQ(count({wide, flat, flat}, format), 1);
    EXPECT_EQ(count({wide}, format), 0);
  }
  EXPECT_EQ(count({flat}, OutputFormat::csv), 0);
}

TEST(Table, TextHasNoControlCharacters) {
  const Table table{"", {"h"}, {{"a\x1b[31m\nb\xFF"}}, {Align::left}, {}};
  EXPECT_EQ(print_table(table, OutputFormat::text), "h\n---------\na [31m b\uFFFD\n");
}

TEST(Table, MarkdownEscapes) {
  EXPECT_EQ(print_table(example_table(), OutputFormat::markdown),
            "**Title**\n\n"
            "| name | r |\n| :-- | --: |\n"
            "| a\\|b | 0.5 |\n| 字é | -10 |\n"
            "\na note\n");
  const Table table{"", {"h"}, {{"*x*\n<b> `c`"}}, {}, {}};
  EXPECT_NE(print_table(table, OutputFormat::markdown).find("| \\*x\\* \\<b> \\`c\\` |"),
            std::string::npos);
}

TEST(Table, CsvQuotesAsRfc4180) {
  const Table table{"T", {"a,b", "c"}, {{"say \"hi\"", "two\nlines"}, {"plain"}}, {}, {"note"}};
  EXPECT_EQ(print_table(table, OutputFormat::csv),
            "\"a,b\",c\n\"say \"\"hi\"\"\",\"two\nlines\"\nplain,\n");
}

TEST(Table, LatexEscapes) {
  const Table table{"", {"h"}, {{"50% of a_b & {c} \\ ~ ^ $ # <>"}, {"[x]"}}, {Align::left}, {}};
  EXPECT_EQ(print_table(table, OutputFormat::latex),
            "\\begin{tabular}{l}\n\\hline\nh \\\\\n\\hline\n"
            "50\\% of a\\_b \\& \\{c\\} \\textbackslash{} \\textasciitilde{} \\textasciicircum{} "
            "\\$ \\# \\textless{}\\textgreater{} \\\\\n"
            "{[}x] \\\\\n\\hline\n\\end{tabular}\n");
}

TEST(Table, JsonHoldsTheCells) {
  const Json json = Json::parse(print_table(example_table(), OutputFormat::json), "");
  EXPECT_EQ(json.find("title")->string(), "Title");
  EXPECT_EQ(json.find("rows")->array()[1].array()[0].string(), "字é");
  EXPECT_EQ(json.find("notes")->array()[0].string(), "a note");
}

TEST(Table, RaggedRowsAreFilled) {
  const Table table{"", {"a"}, {{"1", "2"}, {}}, {}, {}};
  EXPECT_EQ(print_table(table, OutputFormat::text), "a\n-  -\n1  2\n\n");
  EXPECT_EQ(print_table(table, OutputFormat::csv), "a,\n1,2\n,\n");
  EXPECT_EQ(print_table({}, OutputFormat::csv), "\n");
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

}  // namespace
}  // namespace rubric::eval
