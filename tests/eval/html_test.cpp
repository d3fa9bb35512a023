#include "eval/html.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric {
namespace {

TEST(Html, EscapesTextAndRepairsIt) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&'\xFF</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;\uFFFD&lt;/a&gt;");
}

TEST(Html, ReadingTablesNameEveryCell) {
  const Table table{"", {"id", "<c>"}, {{"1", "a & b"}}, {}, {}};
  const std::string html = html_reading_table(table);
  expect_contains(html, "<td data-name=\"id\">1</td><td data-name=\"&lt;c&gt;\">a &amp; b</td>");
}

TEST(Html, TitlesAndNotesStandBesideTheTable) {
  const std::string html = html_table({"T", {"h"}, {{"x"}}, {Align::left}, {"n"}});
  EXPECT_TRUE(html.starts_with("<p class=\"title\">T</p>\n<div class=\"table\">"));
  EXPECT_TRUE(html.ends_with("</div>\n<p class=\"note\">n</p>\n"));
}

}  // namespace
}  // namespace rubric
