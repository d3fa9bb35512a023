#include "eval/report/report.h"

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "messages.h"

namespace rubric::eval::report_test {

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
  expect_says(
      html,
      {"<title>A &amp; B</title>", "<p>First &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>",
       "<p class=\"title\">T&lt;1&gt;</p>", "<th class=\"right\">&quot;r&quot;</th>",
       "<td class=\"left\">&lt;td&gt;</td>", "a &lt;note&gt;", "bleu1|strip:?.!|rubric:0.1.0",
       "rubric score &#39;a&lt;b&#39;", "rubric 0.1.0, libtorch 2.11.0"});
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
  report.plots.push_back({.title = "r", .series = {{.name = "f1", .points = {{.x = 1}}}}});
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
  expect_says(html, {" more rows, which would make this page too large", " more notes, which",
                     " more pictures, which"});
}

TEST(Report, TellsTheCommandAsAShellTakesIt) {
  EXPECT_EQ(shell_command("rubric score", {"f1,em", "--strip", "?.!", "it's", ""}),
            "rubric score f1,em --strip '?.!' 'it'\\''s' ''");
}

// `points` points with `rows` rows each, none of two; a row's cells are its number and `text`.
Report example(uint32_t points, uint32_t rows, const std::string& text) {
  Report report;
  report.title = "T";
  PlotSeries series;
  for (uint32_t i = 0; i < points; ++i) {
    PlotPoint point{double(i), 0};
    for (uint32_t row = 0; row < rows; ++row) point.rows.push_back(i * rows + row);
    series.points.push_back(std::move(point));
  }
  report.plots.emplace_back();
  report.plots[0].series.push_back(std::move(series));
  report.rows.header = {"row", "text"};
  report.rows.cells = [text](uint32_t row) {
    return std::vector<std::string>{std::to_string(row), text};
  };
  return report;
}

Json rows_in(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"rows\">";
  const size_t at = html.find(begin), end = html.find("</script>", at);
  EXPECT_NE(at, html.npos);
  return Json::parse(html.substr(at + begin.size(), end - at - begin.size()), "rows");
}

TEST(EmbeddedRows, AreThoseOfThePoints) {
  const Report report = example(2, 3, "x");
  const EmbeddedRows embedded = embed_rows(report, 10'000);
  const Json json = rows_in(embedded.element);
  EXPECT_EQ(json.find("header")->array()[1].string(), "text");
  ASSERT_EQ(json.find("rows")->array().size(), 6u);
  for (size_t i = 0; i < 2; ++i) {
    const std::vector<size_t>& places = embedded.shown.at(&report.plots[0].series[0].points[i]);
    ASSERT_EQ(places.size(), 3u);
    for (size_t k = 0; k < 3; ++k) {  // in the point's order
      EXPECT_EQ(json.find("rows")->array()[places[k]].array()[0].string(),
                std::to_string(3 * i + k));
    }
  }
}

TEST(EmbeddedRows, AreSomeHundredOfAllPoints) {
  const Report report = example(50, 10'000, "x");
  const EmbeddedRows embedded = embed_rows(report, 1'000'000);
  EXPECT_EQ(rows_in(embedded.element).find("rows")->array().size(), 600u);
  for (const PlotPoint& point : report.plots[0].series[0].points) {
    EXPECT_EQ(embedded.shown.at(&point).size(), 12u);
  }
  expect_contains(to_html(report), "data-count=\"10000\"");
}

TEST(EmbeddedRows, PointsShareThem) {
  Report report = example(1, 1000, "x");
  PlotPoint half{1, 0};
  for (uint32_t row = 0; row < 500; ++row) half.rows.push_back(row);
  report.plots[0].series[0].points.push_back(half);
  const EmbeddedRows embedded = embed_rows(report, 1'000'000);
  const std::vector<PlotPoint>& points = report.plots[0].series[0].points;
  EXPECT_EQ(embedded.shown.at(&points[1]).size(), 16u);
  EXPECT_LT(rows_in(embedded.element).find("rows")->array().size(), 32u);
}

TEST(EmbeddedRows, TakeNoMoreBytesThanTheyMay) {
  const Report report = example(100, 100, std::string(1000, '<'));
  EXPECT_LE(embed_rows(report, 50'000).element.size(), 50'000u);
  expect_contains(embed_rows(report, 50'000).element, "(600 more bytes)");  // of each cell
  EXPECT_EQ(embed_rows(report, 10).element, "");
}

TEST(EmbeddedRows, HostileTextStaysText) {
  const std::string hostile = "</script><script>alert(1)</script>\u2028\u2029<!--&amp;\"\\\xFF";
  const EmbeddedRows embedded = embed_rows(example(1, 1, hostile), 10'000);
  EXPECT_EQ(embedded.element.find("</script>"), embedded.element.size() - 10);
  for (const char* part : {"<!--", "\u2028", "\u2029", "&"}) {
    EXPECT_FALSE(holds(embedded.element, part)) << part;
  }
  const Json json = rows_in(embedded.element);
  EXPECT_EQ(json.find("rows")->array()[0].array()[1].string(),
            "</script><script>alert(1)</script>\u2028\u2029<!--&amp;\"\\\uFFFD");
}

}  // namespace rubric::eval::report_test
