#include <gtest/gtest.h>

#include "eval/report/report.h"
#include "messages.h"

namespace rubric::eval {
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

TEST(Html, LongTextsWrapAndBecomeCards) {
  const std::string text(60, 'x');
  const std::string html = html_table({"", {"step", "n"}, {{text, "1"}}, {Align::left}, {}});
  expect_contains(html, "<table class=\"long\">");
  expect_contains(html, "<td class=\"left\" data-name=\"step\">" + text + "</td>");
  EXPECT_FALSE(holds(html_table({"", {"h"}, {{"x"}}, {}, {}}), "long"));
  expect_contains(html_page("", ""), ".long .left { min-width: 8rem; overflow-wrap: anywhere;");
}

}  // namespace
}  // namespace rubric::eval
