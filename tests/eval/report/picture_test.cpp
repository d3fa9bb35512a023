#include <gtest/gtest.h>

#include "core/system/process.h"
#include "eval/report/plots.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval {
namespace {

bool has_gnuplot() {
  try {
    return run_process({"gnuplot", "--version"}, {"", "/dev/null", ""}) == 0;
  } catch (const Error&) {
    return false;
  }
}

// "" where it could not be drawn.
std::string svg_of(const Plot& plot) {
  const std::vector<PlotImage> pictures = draw({plot});
  return pictures.empty() ? "" : pictures[0].svg;
}

TEST(PlotImage, TextOfFilesCannotCommandGnuplot) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_EQ(plot_quote("it's `x` \"y\"\n"), "'it’s ’x’ ”y” '");
  EXPECT_EQ(plot_text("a\tb\\n"), "a b/n");
  const TemporaryFolder folder;
  const std::string name = "`touch " + folder.file("made") + "`";
  const IntervalSeries series[] = {
      {name, {{name, 0.5, stats::Interval{0.4, 0.6}}}},
      {"'; system('touch x'", {{name, 0.7, stats::Interval{0.6, 0.8}}}}};
  const std::string svg = svg_of(interval_plot("t", "x", series));
  expect_contains(svg, "touch ");  // shown, not executed
  EXPECT_TRUE(folder.names().empty());
}

TEST(PlotImage, IsAnElementThatScalesAndIsDescribed) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  Plot plot{"A <title>", "What \"it\" shows", 200, "plot sin(x) notitle\n"};
  const std::string svg = svg_of(plot);
  EXPECT_TRUE(
      svg.starts_with("<svg role=\"img\" viewBox=\"0 0 420 200\"><title>A &lt;title&gt;"
                      "</title><desc>What &quot;it&quot; shows</desc>"));
  EXPECT_TRUE(svg.ends_with("</svg>"));
  for (const char* foreign : {"http", "xlink", "<script", "<?xml"}) {
    EXPECT_FALSE(holds(svg, foreign)) << foreign;
  }
  plot.commands = "plot no_such_function(x)\n";
  EXPECT_EQ(svg_of(plot), "");
}

}  // namespace
}  // namespace rubric::eval
