#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "eval/estimate/estimate.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

constexpr const char *kLabels = "labels", *kMetric = "metric", *kBoth = "both";  // Keys::source
constexpr const char *kStudent = "t", *kBootstrap = "bootstrap";                 // Keys::method
constexpr const char* kAllAnswers = "all answers";
constexpr const char* kNoDraw = "The labels are no random draw, so do not rely on this: ";

struct EstimateRow {
  std::string statistic;
  Keys keys;
  std::optional<int64_t> n = {};
  std::string lacking = {};  // why there is no estimate
};

void add_detail(const EstimateRow& row, const std::string& name, std::optional<double> value,
                const std::string& why_missing, std::vector<Measurement>& all) {
  const bool is_correlation = row.statistic == "correlation";
  Adder{all, row.keys, {}, why_missing}((is_correlation ? "correlation_" : "") + name, value)
      .digits = 3;
}

// The value with each of its intervals, then what else is known of it.
void add_estimate(const EstimateRow& row, const std::optional<Estimate>& estimate,
                  std::vector<Measurement>& all) {
  Measurement one{.keys = row.keys, .statistic = row.statistic, .n = row.n};
  one.keys.method = kStudent;
  if (!estimate) {
    one.why_missing = row.lacking;
    all.push_back(one);
    return;
  }
  one.value = estimate->value;
  one.interval = estimate->interval;
  one.p = estimate->p;
  all.push_back(one);
  if (estimate->bootstrap) {
    one.keys.method = kBootstrap;
    one.interval = estimate->bootstrap;
    one.p = std::nullopt;
    all.push_back(one);
  }
  add_detail(row, "standard_error", estimate->standard_error, "", all);
  if (row.keys.source != kBoth) return;
  if (row.statistic != "correlation") {
    add_detail(row, "lambda", estimate->lambda, "it is no number", all);
  }
  add_detail(row, "effective_labels", estimate->effective_labels, "labels alone have no error",
             all);
}

// From labels alone, which are worth as many as they are.
void add_labels_alone(EstimateRow row, const std::optional<Estimate>& estimate, int64_t labels,
                      std::vector<Measurement>& all) {
  row.keys.source = kLabels;
  add_estimate(row, estimate, all);
  if (estimate) add_detail(row, "effective_labels", static_cast<double>(labels), "", all);
}

void add_with_predictors(const Estimates& estimates, EstimateRow row,
                         const std::vector<std::optional<Estimate>>& with,
                         std::vector<Measurement>& all) {
  row.keys.source = kBoth;
  for (size_t p = 0; p < with.size(); ++p) {
    row.keys.metric = estimates.predictors[p];
    add_estimate(row, with[p], all);
  }
}

void add_means(const Estimates& estimates, const GroupEstimates& group,
               std::vector<Measurement>& all) {
  for (size_t s = 0; s < group.systems.size(); ++s) {
    const SystemEstimates& system = group.systems[s];
    const Keys keys{.system = estimates.systems[s], .group = group.name};
    add_labels_alone({"mean", keys, system.labels, system.lacking}, system.labels_alone,
                     system.labels, all);
    for (size_t m = 0; m < estimates.metrics.size(); ++m) {
      Keys of_metric = keys;
      of_metric.metric = estimates.metrics[m];
      of_metric.source = kMetric;
      Adder{all, of_metric, system.n, "no answers"}("mean", system.metric_alone[m]);
    }
    add_with_predictors(estimates, {"mean", keys, system.n, system.lacking}, system.with, all);
    Adder{all, keys}.counts({{"answers", system.n},
                             {"questions", system.questions},
                             {"labels", system.labels},
                             {"labelled_questions", system.labelled_questions}});
  }
}

void add_differences(const Estimates& estimates, const GroupEstimates& group,
                     std::vector<Measurement>& all) {
  for (const EstimatedDifference& pair : group.differences) {
    const SystemEstimates &first = group.systems[pair.first], &second = group.systems[pair.second];
    const bool lacks_first = !first.lacking.empty();
    const std::string& lacking = lacks_first ? first.lacking : second.lacking;
    const std::string& system = estimates.systems[lacks_first ? pair.first : pair.second];
    const EstimateRow row{"difference",
                          {.system = estimates.systems[pair.first],
                           .against = estimates.systems[pair.second],
                           .group = group.name},
                          {},
                          lacking.empty() ? "" : system + " has " + lacking};
    add_labels_alone(row, pair.labels_alone, std::min(first.labels, second.labels), all);
    add_with_predictors(estimates, row, pair.with, all);
  }
}

void add_correlations(const Estimates& estimates, const GroupEstimates& group,
                      std::vector<Measurement>& all) {
  for (size_t m = 0; m < estimates.metrics.size(); ++m) {
    EstimateRow row{"correlation",
                    {.metric = estimates.metrics[m], .group = group.name, .source = kLabels},
                    {},
                    group.lacking.empty()
                        ? "labels or scores are constant, or the correlation is 1 or -1"
                        : group.lacking};
    add_estimate(row, group.correlations[m].labels_alone, all);
    row.keys.source = kBoth;
    add_estimate(row, group.correlations[m].corrected, all);
  }
}

// Where questions with labels are few, bootstrap intervals are beside the others.
bool shows_bootstrap(const Estimates& estimates) {
  return std::ranges::any_of(estimates.groups, [](const GroupEstimates& group) {
    return std::ranges::any_of(group.systems, [](const SystemEstimates& system) {
      return system.labels_alone && system.labelled_questions < kFewQuestions;
    });
  });
}

bool has_several_tests(const Estimates& estimates) {
  return std::ranges::count(estimates.groups.front().differences, false,
                            &EstimatedDifference::is_exact) > 1;
}

std::vector<std::string> lacking_notes(const Estimates& estimates) {
  std::vector<std::string> lacking, of_some, notes;
  for (const GroupEstimates& group : estimates.groups) {
    if (group.lacks_systems) of_some.push_back(group.name.empty() ? kAllAnswers : group.name);
    for (size_t s = 0; s < group.systems.size(); ++s) {
      const std::string &system = estimates.systems[s], &why = group.systems[s].lacking;
      if (why.empty() || group.name.empty()) continue;  // of all answers there is a warning
      lacking.push_back((system.empty() ? "" : system + " in ") + group.name + ", with " + why);
    }
  }
  if (!lacking.empty()) notes.push_back("no estimate for " + join_some(lacking, "; "));
  if (!of_some.empty()) {
    notes.push_back("correlations are of the systems with an estimate alone: " +
                    join_some(of_some));
  }
  return notes;
}

std::vector<std::string> estimate_notes(const Estimates& estimates,
                                        std::span<const Measurement> measurements) {
  std::vector<std::string> notes = {
      (estimates.is_draw ? "" : kNoDraw) + best_sentence(estimates, measurements),
      estimates.is_draw ? worth_sentence(estimates) : ""};
  std::erase(notes, "");  // of what nothing is estimated, nothing is worth more
  notes.emplace_back(
      "the mean is that which labelling all these answers would give; 95% intervals by Student's t "
      "over the labelled questions; lambda: the weight of the metric; worth labels: so many labels "
      "alone would give as narrow an interval");
  notes.emplace_back(
      "from metric: the mean of the metric over all answers, on its own scale. It is biased: how "
      "far it is from the labels' mean is not known from it. From both: labels with the metric");
  if (shows_bootstrap(estimates)) {
    notes.emplace_back("bootstrap: 95%, by drawing labelled questions with replacement");
  }
  for (const auto& more : {estimates.warnings, estimates.notes, lacking_notes(estimates)}) {
    notes.insert(notes.end(), more.begin(), more.end());
  }
  return notes;
}

// Of "means" or "differences". The first interval is Student's.
Layout estimates_layout(const Estimates& estimates, const std::string& name,
                        std::map<std::string, std::string> texts) {
  texts["human"] = estimates.human;
  Layout layout = read_layout("estimate", name, texts);
  if (!shows_bootstrap(estimates)) {
    std::erase_if(layout.columns, [](const Column& one) { return one.title == "bootstrap"; });
  }
  return layout;
}

Layout means_layout(const Estimates& estimates) {
  int64_t n = 0, labels = 0;
  for (const SystemEstimates& system : estimates.groups.front().systems) {
    n += system.n;
    labels += system.labels;
  }
  return estimates_layout(estimates, "means",
                          {{"answers", counted(n, "answer")}, {"labels", std::to_string(labels)}});
}

Layout differences_layout(const Estimates& estimates) {
  const bool is_corrected = has_several_tests(estimates);
  Layout layout =
      estimates_layout(estimates, "differences", {{"p", is_corrected ? "p (Holm)" : "p"}});
  if (is_corrected) {
    layout.notes.emplace_back(
        "each interval is for itself; p has Holm's correction for all pairs that are shown");
  }
  layout.notes.emplace_back(
      "lambda is chosen anew for each difference, so it is not exactly that of the means above");
  return layout;
}

// Whether the metric's means are close enough to the labels' that one axis shows both: a metric may
// be on another scale.
bool has_scale_of_labels(const Estimates& estimates, size_t metric) {
  double low = 0, high = 0;
  bool is_first = true;
  const std::vector<SystemEstimates>& systems = estimates.groups.front().systems;
  for (const SystemEstimates& system : systems) {
    if (!system.labels_alone) continue;
    const Interval& interval = system.labels_alone->interval;
    low = is_first ? interval.low : std::min(low, interval.low);
    high = is_first ? interval.high : std::max(high, interval.high);
    is_first = false;
  }
  const double room = 2 * (high - low);
  return std::ranges::all_of(systems, [&](const SystemEstimates& system) {
    const std::optional<double>& mean = system.metric_alone[metric];
    return mean && *mean > low - room && *mean < high + room;
  });
}

// What labels alone, the metric alone and both say: of each system or, of one, in each group.
IntervalPlot means_plot(const Estimates& estimates, size_t predictor) {
  const std::string& name = estimates.predictors[predictor];
  const bool has_one = estimates.systems.size() == 1;
  Layout layout = read_layout(
      "estimate", has_one ? "plot_by_group" : "plot_by_system",
      {{"human", estimates.human}, {"metric", name}, {"system", estimates.systems.front()}});
  const auto add = [&](const std::string& title, const Keys& keys) {
    layout.columns.push_back({.title = title, .statistics = {"mean"}, .keys = keys});
  };
  add("labels alone", {.source = kLabels, .method = kStudent});
  if (predictor < estimates.metrics.size() && has_scale_of_labels(estimates, predictor)) {
    add(name + " alone (biased)", {.metric = name, .source = kMetric});
  }
  add("labels and " + name, {.metric = name, .source = kBoth, .method = kStudent});
  return {std::move(layout), "mean " + estimates.human};
}

}  // namespace

Result estimate_result(const Estimates& estimates) {
  Result result{.title = "Estimates of " + estimates.human,
                .tables = {means_layout(estimates)},
                .warnings = estimates.warnings};
  if (estimates.systems.size() > 1) result.tables.push_back(differences_layout(estimates));
  result.tables.push_back(read_layout("estimate", "correlations", {{"human", estimates.human}}));
  for (const GroupEstimates& group : estimates.groups) {
    add_means(estimates, group, result.measurements);
    add_differences(estimates, group, result.measurements);
    add_correlations(estimates, group, result.measurements);
  }
  add_holm(result.measurements, [](const Measurement& one) {
    return HolmFamily{one.keys.group, one.keys.source + "|" + one.keys.metric};
  });
  result.notes = estimate_notes(estimates, result.measurements);
  for (size_t p = estimates.predictors.size(); p-- > 0;) {
    result.interval_plots.push_back(means_plot(estimates, p));
  }
  return result;
}

}  // namespace rubric::eval
