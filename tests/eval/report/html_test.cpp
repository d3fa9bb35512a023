#include "eval/report/html.h"

#include <bitset>
#include <string>

#include <gtest/gtest.h>

#include "core/hash.h"
#include "messages.h"

namespace rubric::eval::html_test {

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

TEST(Html, IntervalsAreDrawnOnTheScaleOfTheirColumn) {
  Table table{"",
              {"metric", "r"},
              {{"f1", "0.500 [0.000, 1.000]"}, {"em", "0.250 [0.000, 0.500]"}},
              {Align::left},
              {}};
  EXPECT_FALSE(holds(html_table(table), "class=\"bar\""));  // texts are no intervals
  table.numbers = {{{}, {0.5, stats::Interval{0, 1}, 12}},
                   {{}, {0.25, stats::Interval{0, 0.5}, 8}}};
  const std::string html = html_table(table);
  expect_says(html, {"<td class=\"right interval\" title=\"f1, r: 0.500 [0.000, 1.000], n = 12\">"
                     "0.500 <span class=\"ends\">[0.000, 1.000]</span><svg class=\"bar\"",
                     "<line x1=\"1\" y1=\"4\" x2=\"99\" y2=\"4\" class=\"interval\"/>"
                     "<line x1=\"50\" y1=\"0\" x2=\"50\" y2=\"8\" class=\"value\"/>",
                     "<line x1=\"1\" y1=\"4\" x2=\"50\" y2=\"4\" class=\"interval\"/>"
                     "<line x1=\"25.5\" y1=\"0\" x2=\"25.5\" y2=\"8\" class=\"value\"/>"});
  table.numbers[1][1] = {2, stats::Interval{0, 0.5}, 8};  // a value outside its interval
  expect_contains(html_table(table),
                  "<line x1=\"99\" y1=\"0\" x2=\"99\" y2=\"8\" class=\"value\"/>");
  table = {"", {"m<", "r"}, {{"<i>", "0.5 [0, 1]"}}, {Align::left}, {}};
  table.numbers = {{{}, {0.5, stats::Interval{0, 1}, 7}}};
  const std::string alone = html_table(table);  // with nothing to compare it to
  expect_contains(alone, "title=\"&lt;i&gt;, r: 0.5 [0, 1], n = 7\"");
  EXPECT_TRUE(holds(alone, "class=\"bar\""));  // on the scale of the table
  table.numbers = {{{}, {1, stats::Interval{1, 1}, 7}}};
  EXPECT_FALSE(holds(html_table(table), "class=\"bar\""));
}

TEST(Html, AFoldedTableShowsItsTitle) {
  Table table{"p <of> all", {"h"}, {{"x"}}, {}, {"n"}};
  table.is_folded = true;
  const std::string html = html_table(table);
  EXPECT_TRUE(html.starts_with("<details>\n<summary>p &lt;of&gt; all</summary>\n<div"));
  EXPECT_TRUE(html.ends_with("<p class=\"note\">n</p>\n</details>\n"));
  EXPECT_EQ(print_tables({&table, 1}, OutputFormat::text), "p <of> all\n\nh\n-\nx\n\nn\n");
}

TEST(Html, LongTextIsCutAtACharacter) {
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text("aé-", 2), "a… (3 more bytes)");
  EXPECT_EQ(cut_text("\x80\x80\x80", 2), "… (3 more bytes)");
  const std::string page =
      html_page(std::string(100'000, 't'), html_paragraph(std::string(100'000, 'p')));
  EXPECT_LT(page.size(), 120'000u);
}

TEST(Html, AllowsItsOwnStyleAndScriptOnly) {
  const std::string page = html_page("", "");
  const auto source = [&](const std::string& element) {  // its hash, as `openssl dgst | base64`
    const size_t begin = page.find("<" + element + ">") + element.size() + 2;
    const std::string hash = sha256(page.substr(begin, page.find("</" + element + ">") - begin));
    std::string bits, text;
    for (const char digit : hash)
      bits += std::bitset<4>(std::stoul(std::string(1, digit), nullptr, 16)).to_string();
    for (size_t i = 0; i < bits.size(); i += 6) {
      const std::string six = (bits.substr(i, 6) + "00000").substr(0, 6);
      text += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[std::stoul(
          six, nullptr, 2)];
    }
    return "'sha256-" + text + "='";
  };
  expect_contains(page,
                  "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src " +
                      source("style") + "; script-src " + source("script") + "\"");
  EXPECT_FALSE(holds(page, "unsafe"));
}

}  // namespace rubric::eval::html_test
