#include "eval/report.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric {
namespace {

Report example() {
  return {"A & B",
          {"First <script>alert('x')</script>"},
          {{"T<1>", {"name", "\"r\""}, {{"<td>", "0.5"}}, {Align::left}, {"a <note>"}}},
          {"bleu1|strip:?.!|rubric:0.1.0"}};
}

TEST(Report, EscapesEveryText) {
  const std::string html = to_html(example());
  EXPECT_TRUE(holds(html, "<title>A &amp; B</title>"));
  EXPECT_TRUE(holds(html, "<p>First &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>"));
  EXPECT_TRUE(holds(html, "<caption>T&lt;1&gt;</caption>"));
  EXPECT_TRUE(holds(html, "<th class=\"right\">&quot;r&quot;</th>"));
  EXPECT_TRUE(holds(html, "<td class=\"left\">&lt;td&gt;</td>"));
  EXPECT_TRUE(holds(html, "a &lt;note&gt;"));
  EXPECT_TRUE(holds(html, "bleu1|strip:?.!|rubric:0.1.0"));
}

TEST(Report, StandsAlone) {
  const std::string html = to_html(example());
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(holds(html, "prefers-color-scheme: dark"));
  for (const char* foreign : {"<script", "<link", "src=", "href=", "http", "@import", "url("}) {
    EXPECT_FALSE(holds(html, foreign)) << foreign;
  }
}

TEST(Report, RepairsInvalidUtf8) {
  EXPECT_TRUE(holds(to_html(Report{"a\xFF", {}, {}, {}}), "<h1>a\uFFFD</h1>"));
}

}  // namespace
}  // namespace rubric
