#include "eval/mocha/mocha_plots.h"

#include <utility>

#include "eval/report/interval_plot.h"

namespace rubric {

std::vector<Plot> mocha_plots(std::span<const MochaResult> results) {
  std::vector<IntervalSeries> by_metric;
  for (const MochaResult& result : results) {
    IntervalSeries series{result.metric, {}};
    for (const ConstituentResult& constituent : result.constituents) {
      series.bars.push_back(
          {constituent.name, constituent.correlations.pearson, constituent.interval});
    }
    series.bars.push_back({"average", result.average.pearson, result.interval});
    by_metric.push_back(std::move(series));
  }
  return {
      interval_plot("Pearson's r with human judgements, 95% intervals", "Pearson's r", by_metric)};
}

}  // namespace rubric
