#include "eval/rev/rev_plots.h"

#include <algorithm>
#include <string>

#include "eval/report/interval_plot.h"

namespace rubric {

std::vector<Plot> rev_plots(const RevEvaluation& evaluation,
                            const std::optional<RevHumans>& humans) {
  std::vector<Plot> plots;
  const auto add = [&](const std::string& title, const std::string& axis,
                       const IntervalSeries& series) {
    const bool has_value = std::ranges::any_of(
        series.bars, [](const IntervalBar& bar) { return bar.value.has_value(); });
    if (has_value) plots.push_back(interval_plot(title + ", 95% intervals", axis, {&series, 1}));
  };
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    IntervalSeries series;
    for (const RevKind& kind : evaluation.kinds) {
      series.bars.push_back({kind.name, kind.means[metric], kind.intervals[metric]});
    }
    const std::string title = kRevMetrics[metric].title;
    add(title + " by kind", metric == kRev ? title + ", nats" : title, series);
  }
  if (humans) {
    IntervalSeries series;
    for (size_t i = 0; i < humans->kinds.size(); ++i) {
      const HumanKind& kind = humans->kinds[i];
      series.bars.push_back({evaluation.kinds[i].name, kind.score, kind.interval});
    }
    add("Human scores by kind", "-1 (not justified) to 3 (enough information)", series);
  }
  return plots;
}

}  // namespace rubric
