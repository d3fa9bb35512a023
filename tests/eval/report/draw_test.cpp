#include <limits>

#include <gtest/gtest.h>

#include "eval/report/plots.h"
#include "messages.h"

namespace rubric::eval::draw_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Plot line(std::vector<PlotPoint> points) {
  Plot plot;
  plot.title = "A <title>";
  plot.description = "What \"it\" shows";
  plot.height = 200;
  plot.x_label = "<x>";
  plot.series = {{"</svg>", std::move(points), PlotStyle::line_and_points}};
  return plot;
}

TEST(Draw, IsAnElementThatScalesAndIsDescribed) {
  const std::string svg = draw(line({{0, 0}, {1, 1}}));
  EXPECT_TRUE(svg.starts_with(
      "<svg role=\"group\" aria-label=\"A &lt;title&gt;. What &quot;it&quot; shows\" "
      "viewBox=\"0 0 420 218\">"))  // 200, and a line for the key
      << svg;
  EXPECT_TRUE(svg.ends_with("</svg>"));
  EXPECT_EQ(svg.find("</svg>"), svg.size() - 6);  // text is escaped
  expect_contains(svg, ">&lt;x&gt;</text>");
  for (const char* foreign : {"http", "xlink", "<script", "<?xml", "style="}) {
    EXPECT_FALSE(holds(svg, foreign)) << foreign;
  }
}

TEST(Draw, PutsRoundNumbersOnTheAxes) {
  const std::string svg = draw(line({{-0.2, 5}, {0.4, 800}}));
  for (const char* tick : {">-0.2<", ">-0.1<", ">0<", ">0.4<", ">200<", ">800<"}) {
    expect_contains(svg, tick);
  }
}

TEST(Draw, PointsSayTheirTitleAndTheirRows) {
  Plot plot = line({{0, 0, {}, 4, "none"}, {1, 1, {}, 4, "<b>", {7, 8, 9}}});
  const ShownRows shown = {{&plot.series[0].points[1], {0, 2}}};
  const std::string svg = draw(plot, shown);
  expect_contains(svg, "<g class=\"point\"><title>none</title>");
  expect_contains(svg,
                  "<g class=\"point\" data-rows=\"0 2\" data-count=\"3\"><title>&lt;b&gt;</title>");
}

TEST(Draw, ValuesOfAnySizeGiveAPicture) {
  for (const double value : {0.0, 1e-300, -1e300, 1e17, kInfinity, -kInfinity,
                             std::numeric_limits<double>::quiet_NaN()}) {
    const std::string svg = draw(line({{value, 1}, {1, value}, {value + 32, 2}}));
    EXPECT_LT(svg.size(), 10'000u) << value;
    for (const char* none : {"nan", "inf"}) EXPECT_FALSE(holds(svg, none)) << value;
  }
  EXPECT_TRUE(draw(Plot()).ends_with("</svg>"));
  EXPECT_FALSE(holds(draw(line({{0, kInfinity}})), "class=\"point\""));
}

TEST(Draw, LongNamesAreCutAtACharacter) {
  Plot plot = line({{0.5, 0}});
  plot.names = {std::string(27, 'x') + "字字字"};
  const std::string svg = draw(plot);
  expect_contains(svg, ">" + std::string(27, 'x') + "…</text>");
  plot.names = {"all rows – unseen questions"};
  expect_contains(draw(plot), ">all rows – unseen questions</text>");
}

TEST(Draw, DifferencesAreBesideALineAtZero) {
  Plot plot = line({{0.25, 0}, {0.4, 0}});
  plot.names = {"a – b"};
  EXPECT_FALSE(holds(draw(plot), "\"zero\""));
  plot.starts_at_zero = true;
  expect_contains(draw(plot), "\"zero\"");
}

}  // namespace rubric::eval::draw_test
