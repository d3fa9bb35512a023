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
  expect_contains(html, "<title>A &amp; B</title>");
  expect_contains(html, "<p>First &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>");
  expect_contains(html, "<caption>T&lt;1&gt;</caption>");
  expect_contains(html, "<th class=\"right\">&quot;r&quot;</th>");
  expect_contains(html, "<td class=\"left\">&lt;td&gt;</td>");
  expect_contains(html, "a &lt;note&gt;");
  expect_contains(html, "bleu1|strip:?.!|rubric:0.1.0");
}

TEST(Report, StandsAlone) {
  const std::string html = to_html(example());
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  expect_contains(html, "prefers-color-scheme: dark");
  for (const char* foreign : {"<script", "<link", "src=", "href=", "http", "@import", "url("}) {
    EXPECT_FALSE(holds(html, foreign)) << foreign;
  }
}

TEST(Report, RepairsInvalidUtf8) {
  expect_contains(to_html(Report{"a\xFF", {}, {}, {}}), "<h1>a\uFFFD</h1>");
}

}  // namespace
}  // namespace rubric
