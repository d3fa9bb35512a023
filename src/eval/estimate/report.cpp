#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "eval/estimate/estimate.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

IntervalBar bar_of(const std::string& name, const std::optional<Estimate>& estimate) {
  if (!estimate) return {name, std::nullopt};
  return {name, estimate->value, estimate->interval};
}

// Whether the metric's means are close enough to the labels' that one axis shows both: a metric may
// be on another scale.
bool has_scale_of_labels(const EstimateResult& result, size_t metric) {
  double low = 0, high = 0;
  bool is_first = true;
  for (const SystemEstimates& system : result.groups.front().systems) {
    if (!system.labels_alone) continue;
    const Interval& interval = system.labels_alone->interval;
    low = is_first ? interval.low : std::min(low, interval.low);
    high = is_first ? interval.high : std::max(high, interval.high);
    is_first = false;
  }
  const double room = 2 * (high - low);
  return std::ranges::all_of(result.groups.front().systems, [&](const SystemEstimates& system) {
    const std::optional<double>& mean = system.metric_alone[metric];
    return mean && *mean > low - room && *mean < high + room;
  });
}

// What labels alone, the metric alone and both say: of each system or, of one, in each group.
Plot means_plot(const EstimateResult& result, size_t predictor) {
  const std::string& name = result.predictors[predictor];
  const bool has_mean = predictor < result.metrics.size() && has_scale_of_labels(result, predictor);
  std::vector<IntervalSeries> series(has_mean ? 3 : 2);
  series.front().name = "labels alone";
  if (has_mean) series[1].name = name + " alone (biased)";
  series.back().name = "labels and " + name;
  const auto add = [&](const std::string& bar, const SystemEstimates& system) {
    series.front().bars.push_back(bar_of(bar, system.labels_alone));
    if (has_mean) series[1].bars.push_back({bar, system.metric_alone[predictor]});
    series.back().bars.push_back(bar_of(bar, system.with[predictor]));
  };
  const std::vector<SystemEstimates>& systems = result.groups.front().systems;
  for (size_t s = 0; s < systems.size() && systems.size() > 1; ++s) {
    add(result.systems[s], systems[s]);
  }
  if (systems.size() == 1) {
    for (const GroupEstimates& group : shown_groups(result.groups)) {
      add(group.name.empty() ? "all answers" : group.name, group.systems.front());
    }
  }
  return interval_plot("Mean " + result.human + " with " + name + ", 95% intervals",
                       "mean " + result.human, series);
}

}  // namespace

Report estimate_report(const EstimateResult& result) {
  Report report;
  report.title = "Estimates of " + result.human;
  report.tables = estimate_tables(result);
  // The two sentences come first.
  std::vector<std::string>& notes = report.tables.front().notes;
  report.paragraphs.assign(notes.begin(), notes.begin() + 2);
  notes.erase(notes.begin(), notes.begin() + 2);
  for (size_t p = result.predictors.size(); p-- > 0;) {
    report.plots.push_back(means_plot(result, p));
  }
  report.signatures = {result.signature};
  return report;
}

}  // namespace rubric::eval
