#include "eval/report/report.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::eval {
namespace {

Report example() {
  return {"A & B",
          {"First <script>alert('x')</script>"},
          {{"T<1>", {"name", "\"r\""}, {{"<td>", "0.5"}}, {Align::left}, {"a <note>"}}},
          {},
          {"bleu1|strip:?.!|rubric:0.1.0"},
          "rubric score 'a<b'",
          {"rubric 0.1.0", "libtorch 2.11.0"}};
}

TEST(Report, EscapesEveryText) {
  const std::string html = to_html(example());
  expect_contains(html, "<title>A &amp; B</title>");
  expect_contains(html, "<p>First &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>");
  expect_contains(html, "<p class=\"title\">T&lt;1&gt;</p>");
  expect_contains(html, "<th class=\"right\">&quot;r&quot;</th>");
  expect_contains(html, "<td class=\"left\">&lt;td&gt;</td>");
  expect_contains(html, "a &lt;note&gt;");
  expect_contains(html, "bleu1|strip:?.!|rubric:0.1.0");
  expect_contains(html, "rubric score &#39;a&lt;b&#39;");
  expect_contains(html, "rubric 0.1.0, libtorch 2.11.0");
}

TEST(Report, StandsAlone) {
  const std::string html = to_html(example());
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  expect_contains(html, "prefers-color-scheme: dark");
  for (const char* foreign : {"<script ", "<link", "src=", "href=", "http:", "https:", "@import",
                              "url(", "style=", "innerHTML"}) {
    EXPECT_FALSE(holds(html, foreign)) << foreign;
  }
}

TEST(Report, DrawsWithoutAnotherProgram) {
  Report report = example();
  report.plots.push_back(
      interval_plot("r", "r", std::vector<IntervalSeries>{{"f1", {{"all", 1, {}}}}}));
  expect_contains(to_html(report), "<div class=\"pictures\">\n<figure><svg ");
}

TEST(Report, RepairsInvalidUtf8) {
  Report report;
  report.title = "a\xFF";
  expect_contains(to_html(report), "<h1>a\uFFFD</h1>");
}

TEST(Report, IsNeverLargerThanItMayBe) {
  const std::string text(3000, 'x');
  Report report;
  report.title = std::string(2'000'000, 't');
  report.paragraphs.assign(1000, text);
  report.signatures.assign(1000, text);
  report.command = std::string(3'000'000, 'c');
  Table table{"T", {"a"}, {}, {}, std::vector<std::string>(1000, text)};
  table.rows.assign(2000, {text});
  report.tables.assign(20, table);
  const PlotPoint point{0, 0, {}, 4, text};
  Plot plot;
  plot.series.push_back({"", std::vector<PlotPoint>(20, point)});
  report.plots.assign(100, plot);
  std::string html = to_html(report);
  EXPECT_LE(html.size(), kMostPageBytes);
  expect_contains(html, "Left out, as the page would be too large: ");
  EXPECT_TRUE(html.ends_with("</html>\n"));
  report.paragraphs.clear();
  html = to_html(report);
  EXPECT_LE(html.size(), kMostPageBytes);
  expect_contains(html, " more rows, which would make this page too large");
  expect_contains(html, " more notes, which");
  expect_contains(html, " more pictures, which");
}

TEST(Report, TellsTheCommandAsAShellTakesIt) {
  EXPECT_EQ(shell_command("rubric score", {"f1,em", "--strip", "?.!", "it's", ""}),
            "rubric score f1,em --strip '?.!' 'it'\\''s' ''");
}

}  // namespace
}  // namespace rubric::eval
