#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "eval/estimate/estimate.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::string of_group(const GroupEstimates& group) {
  return group.name.empty() ? "" : ", " + group.name;
}

std::string estimate_cell(const std::optional<Estimate>& estimate) {
  return estimate ? cell(estimate->value, estimate->interval) : "–";
}

std::string whole(double value) {
  return format_fixed(value, 0);
}

std::string worth_cell(const std::optional<Estimate>& estimate) {
  return estimate && estimate->effective_labels ? whole(*estimate->effective_labels) : "–";
}

// "labels and lerc"
std::string with_name(const EstimateResult& result, size_t predictor) {
  return "labels and " + result.predictors[predictor];
}

// The system, then these cells; without the column of systems where none is named.
std::vector<std::string> system_row(const EstimateResult& result, const std::string& system,
                                    std::vector<std::string> cells) {
  if (result.systems.size() > 1 || !result.systems.front().empty()) {
    cells.insert(cells.begin(), system);
  }
  return cells;
}

void add_means(const EstimateResult& result, const SystemEstimates& system, const std::string& name,
               Table& table) {
  const auto add = [&](std::vector<std::string> cells) {
    table.rows.push_back(system_row(result, name, std::move(cells)));
  };
  add({"labels alone", estimate_cell(system.labels_alone), "", std::to_string(system.labels)});
  for (size_t m = 0; m < result.metrics.size(); ++m) {
    add({result.metrics[m] + " alone (biased)", estimate_cell(system.metric_alone[m]), "", ""});
  }
  for (size_t p = 0; p < result.predictors.size(); ++p) {
    const std::optional<Estimate>& estimate = system.with[p];
    add({with_name(result, p), estimate_cell(estimate),
         estimate ? format_significant(*estimate->lambda, 3) : "–", worth_cell(estimate)});
  }
}

Table means_table(const EstimateResult& result, const GroupEstimates& group) {
  int64_t n = 0, labels = 0;
  for (const SystemEstimates& system : group.systems) {
    n += system.n;
    labels += system.labels;
  }
  Table table{"Mean " + result.human + " of " + counted(n, "answer") + ", " +
                  std::to_string(labels) + " of them labelled" + of_group(group),
              system_row(result, "system", {"from", "mean", "lambda", "worth labels"}),
              {},
              {Align::left, Align::left},
              {}};
  if (table.header.size() == 4) table.alignment.pop_back();
  for (size_t s = 0; s < group.systems.size(); ++s) {
    add_means(result, group.systems[s], result.systems[s], table);
  }
  if (!group.name.empty()) return table;
  table.notes = {best_sentence(result), worth_sentence(result)};
  table.notes.emplace_back(
      "95% intervals by Student's t over the labelled questions; lambda: the weight of the metric; "
      "worth labels: so many labels alone would give as narrow an interval");
  table.notes.emplace_back(
      "biased: the mean of a metric over all answers, on its own scale; its interval does not say "
      "how far that is from the labels' mean");
  table.notes.insert(table.notes.end(), result.warnings.begin(), result.warnings.end());
  table.notes.insert(table.notes.end(), result.notes.begin(), result.notes.end());
  return table;
}

Table differences_table(const EstimateResult& result, const GroupEstimates& group) {
  Table table{"Differences in mean " + result.human + of_group(group),
              {"systems", "from", "difference", "worth labels"},
              {},
              {Align::left, Align::left},
              {}};
  for (const EstimatedDifference& pair : group.differences) {
    const std::string name = eval::pair_name(result, pair);
    const int64_t labels =
        std::min(group.systems[pair.first].labels, group.systems[pair.second].labels);
    table.rows.push_back(
        {name, "labels alone", estimate_cell(pair.labels_alone), std::to_string(labels)});
    for (size_t p = 0; p < result.predictors.size(); ++p) {
      table.rows.push_back(
          {name, with_name(result, p), estimate_cell(pair.with[p]), worth_cell(pair.with[p])});
    }
  }
  if (group.name.empty() && group.differences.size() > 1) {
    table.notes.emplace_back("each interval is for itself: no correction for several differences");
  }
  return table;
}

Table correlations_table(const EstimateResult& result, const GroupEstimates& group) {
  Table table{"Pearson's correlation with " + result.human + of_group(group),
              {"metric", "labelled answers alone", "corrected by all answers"},
              {},
              {Align::left},
              {}};
  for (size_t m = 0; m < result.metrics.size(); ++m) {
    const EstimatedCorrelation& correlation = group.correlations[m];
    table.rows.push_back({result.metrics[m], estimate_cell(correlation.labels_alone),
                          estimate_cell(correlation.corrected)});
  }
  return table;
}

// One system's mean, beside what labels alone say.
std::string mean_sentence(const EstimateResult& result) {
  const SystemEstimates& system = result.groups.front().systems.front();
  const size_t chosen = chosen_predictor(result);
  return "The mean " + result.human + " is estimated at " + estimate_cell(system.with[chosen]) +
         " from " + with_name(result, chosen) + "; labels alone say " +
         estimate_cell(system.labels_alone) + ".";
}

// The difference of the best system to another, and its interval, whichever of them is first.
Estimate lead_of(const EstimatedDifference& pair, size_t best, size_t chosen) {
  Estimate lead = *pair.with[chosen];
  if (pair.second != best) return lead;
  lead.value = -lead.value;
  lead.interval = {-lead.interval.high, -lead.interval.low};
  return lead;
}

// CSV's cells of a value.
struct ValueRow {
  std::string figure, group, system, other, source, metric;
};

std::optional<double> bound(const std::optional<Interval>& interval, double Interval::*end) {
  return interval ? std::optional((*interval).*end) : std::nullopt;
}

void add_value(const ValueRow& names, const std::optional<Estimate>& estimate, const std::string& n,
               const std::string& labels, Table& table) {
  const auto of = [&](auto value) { return estimate ? number(value(*estimate)) : std::string(); };
  table.rows.push_back({names.figure, names.group, names.system, names.other, names.source,
                        names.metric, of([](const Estimate& e) { return e.value; }),
                        of([](const Estimate& e) { return e.interval.low; }),
                        of([](const Estimate& e) { return e.interval.high; }),
                        of([](const Estimate& e) { return bound(e.bootstrap, &Interval::low); }),
                        of([](const Estimate& e) { return bound(e.bootstrap, &Interval::high); }),
                        of([](const Estimate& e) { return e.standard_error; }),
                        of([](const Estimate& e) { return e.lambda; }),
                        of([](const Estimate& e) { return e.effective_labels; }), n, labels});
}

void add_values(const EstimateResult& result, const GroupEstimates& group, Table& table) {
  for (size_t s = 0; s < group.systems.size(); ++s) {
    const SystemEstimates& system = group.systems[s];
    const std::string n = std::to_string(system.n), labels = std::to_string(system.labels),
                      &name = result.systems[s];
    add_value({"mean", group.name, name, "", "labels", ""}, system.labels_alone, n, labels, table);
    for (size_t m = 0; m < result.metrics.size(); ++m) {
      add_value({"mean", group.name, name, "", "metric", result.metrics[m]}, system.metric_alone[m],
                n, "", table);
    }
    for (size_t p = 0; p < result.predictors.size(); ++p) {
      add_value({"mean", group.name, name, "", "both", result.predictors[p]}, system.with[p], n,
                labels, table);
    }
  }
  for (const EstimatedDifference& pair : group.differences) {
    const std::string &first = result.systems[pair.first], &second = result.systems[pair.second];
    add_value({"difference", group.name, first, second, "labels", ""}, pair.labels_alone, "", "",
              table);
    for (size_t p = 0; p < result.predictors.size(); ++p) {
      add_value({"difference", group.name, first, second, "both", result.predictors[p]},
                pair.with[p], "", "", table);
    }
  }
  for (size_t m = 0; m < result.metrics.size(); ++m) {
    const EstimatedCorrelation& correlation = group.correlations[m];
    add_value({"correlation", group.name, "", "", "labels", result.metrics[m]},
              correlation.labels_alone, "", "", table);
    add_value({"correlation", group.name, "", "", "both", result.metrics[m]}, correlation.corrected,
              "", "", table);
  }
}

}  // namespace

size_t chosen_predictor(const EstimateResult& result) {
  return result.predictors.size() - 1;
}

std::string pair_name(const EstimateResult& result, const EstimatedDifference& pair) {
  return result.systems[pair.first] + " – " + result.systems[pair.second];
}

std::string best_sentence(const EstimateResult& result) {
  const GroupEstimates& all = result.groups.front();
  if (all.systems.size() == 1) return mean_sentence(result);
  const size_t chosen = chosen_predictor(result);
  size_t best = 0;
  for (size_t s = 1; s < all.systems.size(); ++s) {
    const auto &estimate = all.systems[s].with[chosen], &most = all.systems[best].with[chosen];
    if (estimate && (!most || estimate->value > most->value)) best = s;
  }
  std::vector<std::string> apart, similar;
  for (const EstimatedDifference& pair : all.differences) {
    if ((pair.first != best && pair.second != best) || !pair.with[chosen]) continue;
    const Estimate lead = lead_of(pair, best, chosen);
    const std::string text = result.systems[pair.first == best ? pair.second : pair.first] +
                             " (difference " + cell(lead.value, lead.interval) + ")";
    (lead.interval.low > 0 ? apart : similar).push_back(text);
  }
  std::string sentence = "By " + with_name(result, chosen) + " " + result.systems[best] +
                         " has the highest mean " + result.human + ", " +
                         estimate_cell(all.systems[best].with[chosen]);
  if (!apart.empty()) sentence += "; it is better than " + join(apart);
  if (!similar.empty()) {
    sentence += "; it is not told apart from " + join(similar) +
                (similar.size() == 1 ? ": the interval holds 0" : ": the intervals hold 0");
  }
  return sentence + ".";
}

std::string worth_sentence(const EstimateResult& result) {
  const size_t chosen = chosen_predictor(result);
  std::vector<std::string> parts;
  const std::vector<SystemEstimates>& systems = result.groups.front().systems;
  for (size_t s = 0; s < systems.size(); ++s) {
    const std::optional<Estimate>& estimate = systems[s].with[chosen];
    if (!estimate || !estimate->effective_labels) continue;
    const std::string of = systems.size() > 1 ? " of " + result.systems[s] : "";
    parts.push_back("the " + std::to_string(systems[s].labels) + " labels" + of + " are worth " +
                    whole(*estimate->effective_labels));
  }
  if (parts.empty()) return "How many labels the metric is worth cannot be said.";
  return "With " + result.predictors[chosen] + " " + join(parts) +
         ": so many labels alone would give as narrow an interval.";
}

std::vector<Table> estimate_tables(const EstimateResult& result) {
  std::vector<Table> tables;
  for (const GroupEstimates& group : result.groups) {
    tables.push_back(means_table(result, group));
    if (!group.differences.empty()) tables.push_back(differences_table(result, group));
    tables.push_back(correlations_table(result, group));
  }
  return tables;
}

Table estimate_value_table(const EstimateResult& result) {
  Table table;
  table.header = {"figure",
                  "group",
                  "system",
                  "other",
                  "source",
                  "metric",
                  "value",
                  "low",
                  "high",
                  "bootstrap_low",
                  "bootstrap_high",
                  "standard_error",
                  "lambda",
                  "effective_labels",
                  "n",
                  "labels"};
  for (const GroupEstimates& group : result.groups) add_values(result, group, table);
  return table;
}

}  // namespace rubric::eval
