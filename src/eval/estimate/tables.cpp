#include <algorithm>
#include <cmath>
#include <iterator>
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

std::string lambda_cell(const std::optional<Estimate>& estimate) {
  return estimate && estimate->lambda ? format_significant(*estimate->lambda, 3) : "–";
}

std::string quoted(const std::string& name) {
  return "“" + name + "”";
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

// Where questions with labels are few, bootstrap intervals stand beside the others.
bool shows_bootstrap(const GroupEstimates& group) {
  return std::ranges::any_of(group.systems, [](const SystemEstimates& system) {
    return system.labels_alone && system.labelled_questions < kFewQuestions;
  });
}

std::string bootstrap_cell(const std::optional<Estimate>& estimate) {
  if (!estimate || !estimate->bootstrap) return "–";
  return "[" + cell(estimate->bootstrap->low) + ", " + cell(estimate->bootstrap->high) + "]";
}

void add_means(const EstimateResult& result, const SystemEstimates& system, const std::string& name,
               bool has_bootstrap, Table& table) {
  const auto add = [&](std::vector<std::string> cells, const std::string& bootstrap) {
    if (has_bootstrap) cells.insert(cells.begin() + 2, bootstrap);
    table.rows.push_back(system_row(result, name, std::move(cells)));
  };
  add({"labels alone", estimate_cell(system.labels_alone), "", std::to_string(system.labels)},
      bootstrap_cell(system.labels_alone));
  for (size_t m = 0; m < result.metrics.size(); ++m) {
    add({result.metrics[m] + " alone (biased)", cell(system.metric_alone[m]), "", ""}, "");
  }
  for (size_t p = 0; p < result.predictors.size(); ++p) {
    const std::optional<Estimate>& estimate = system.with[p];
    add({with_name(result, p), estimate_cell(estimate), lambda_cell(estimate),
         worth_cell(estimate)},
        bootstrap_cell(estimate));
  }
}

std::vector<std::string> notes_of(const EstimateResult& result) {
  std::vector<std::string> notes = {best_sentence(result), worth_sentence(result)};
  notes.emplace_back(
      "the mean is that which labelling all these answers would give; 95% intervals by Student's t "
      "over the labelled questions; lambda: the weight of the metric; worth labels: so many labels "
      "alone would give as narrow an interval");
  notes.emplace_back(
      "biased: the mean of a metric over all answers, on its own scale; how far it is from the "
      "labels' mean is not known from it");
  if (shows_bootstrap(result.groups.front())) {
    notes.emplace_back("bootstrap: 95%, by drawing labelled questions with replacement");
  }
  notes.insert(notes.end(), result.warnings.begin(), result.warnings.end());
  std::ranges::move(estimate_notes(result, shown_groups(result.groups)), std::back_inserter(notes));
  return notes;
}

Table means_table(const EstimateResult& result, const GroupEstimates& group) {
  int64_t n = 0, labels = 0;
  for (const SystemEstimates& system : group.systems) {
    n += system.n;
    labels += system.labels;
  }
  const bool has_bootstrap = shows_bootstrap(group);
  std::vector<std::string> header = {"from", "mean", "lambda", "worth labels"};
  if (has_bootstrap) header.insert(header.begin() + 2, "bootstrap");
  Table table{"Mean " + result.human + " of " + counted(n, "answer") + ", " +
                  std::to_string(labels) + " of them labelled" + of_group(group),
              system_row(result, "system", header),
              {},
              {Align::left, Align::left},
              {}};
  if (table.header.size() == header.size()) table.alignment.pop_back();
  for (size_t s = 0; s < group.systems.size(); ++s) {
    add_means(result, group.systems[s], result.systems[s], has_bootstrap, table);
  }
  if (group.name.empty()) table.notes = notes_of(result);
  return table;
}

std::string p_holm_cell(const std::optional<Estimate>& estimate) {
  return estimate && estimate->p_holm ? p_cell(*estimate->p_holm) : "–";
}

Table differences_table(const EstimateResult& result, const GroupEstimates& group) {
  const bool has_bootstrap = shows_bootstrap(group),
             has_several =
                 std::ranges::count(group.differences, false, &EstimatedDifference::is_exact) > 1;
  Table table{
      "Differences in mean " + result.human + of_group(group),
      {"systems", "from", "difference", has_several ? "p (Holm)" : "p", "lambda", "worth labels"},
      {},
      {Align::left, Align::left},
      {}};
  if (has_bootstrap) table.header.insert(table.header.begin() + 3, "bootstrap");
  for (const EstimatedDifference& pair : group.differences) {
    const std::string name = eval::pair_name(result, pair);
    const int64_t labels =
        std::min(group.systems[pair.first].labels, group.systems[pair.second].labels);
    const auto add = [&](const std::string& from, const std::optional<Estimate>& estimate,
                         const std::string& lambda, const std::string& worth) {
      std::vector<std::string> cells = {
          name, from, estimate_cell(estimate), p_holm_cell(estimate), lambda, worth};
      if (has_bootstrap) cells.insert(cells.begin() + 3, bootstrap_cell(estimate));
      table.rows.push_back(std::move(cells));
    };
    add("labels alone", pair.labels_alone, "", std::to_string(labels));
    for (size_t p = 0; p < result.predictors.size(); ++p) {
      add(with_name(result, p), pair.with[p], lambda_cell(pair.with[p]), worth_cell(pair.with[p]));
    }
  }
  if (group.name.empty() && has_several) {
    table.notes.emplace_back(
        "each interval is for itself; p has Holm's correction for all pairs that are shown");
  }
  if (group.name.empty()) {
    table.notes.emplace_back(
        "lambda is chosen anew for each difference, so it is not exactly that of the means above");
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
  if (group.name.empty()) {
    table.notes.emplace_back(
        "95% intervals are prediction-powered (PPI++), by Fisher's z and Student's t, for these "
        "answers as a finite population; `evaluate agreement` bootstraps questions, for a "
        "population of such questions");
  }
  return table;
}

// One system's mean, beside what labels alone say.
std::string mean_sentence(const EstimateResult& result) {
  const SystemEstimates& system = result.groups.front().systems.front();
  const size_t chosen = chosen_predictor(result);
  return "The mean " + result.human + " is estimated at " + estimate_cell(system.with[chosen]) +
         " from labels and " + quoted(result.predictors[chosen]) + "; labels alone say " +
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

// Sums of the same labels in another order differ in the last digits.
bool is_tie(const Estimate& lead, const Estimate& best) {
  constexpr double kRounding = 1e-12;
  return std::abs(lead.value) <= kRounding * std::abs(best.value);
}

// On the systems whose answers all have labels, as those of the best: `ahead` it leads over.
std::string exact_sentence(const std::vector<std::string>& ahead,
                           const std::vector<std::string>& tied) {
  const size_t count = ahead.size() + tied.size();
  if (count == 0) return "";
  std::vector<std::string> facts;
  if (!ahead.empty()) facts.push_back("the lead over " + join(ahead) + " is exact");
  if (!tied.empty()) {
    facts.push_back(join(tied) + (tied.size() == 1 ? " has" : " have") + " the same mean");
  }
  return std::string(" All answers of ") + (count == 1 ? "both" : "these systems") +
         " have a label, so " + join(facts, " and ") +
         " for these answers; rubric compare tests whether it holds for other questions.";
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
                        of([](const Estimate& e) { return e.effective_labels; }),
                        of([](const Estimate& e) { return e.p_holm; }), n, labels});
}

void add_values(const EstimateResult& result, const GroupEstimates& group, Table& table) {
  for (size_t s = 0; s < group.systems.size(); ++s) {
    const SystemEstimates& system = group.systems[s];
    const std::string n = std::to_string(system.n), labels = std::to_string(system.labels),
                      &name = result.systems[s];
    add_value({"mean", group.name, name, "", "labels", ""}, system.labels_alone, n, labels, table);
    for (size_t m = 0; m < result.metrics.size(); ++m) {
      std::vector<std::string> cells = {"mean",
                                        group.name,
                                        name,
                                        "",
                                        "metric",
                                        result.metrics[m],
                                        number(system.metric_alone[m])};
      cells.resize(table.header.size() - 2);
      cells.insert(cells.end(), {n, ""});
      table.rows.push_back(std::move(cells));
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
  constexpr double kSignificant = 0.05;
  const GroupEstimates& all = result.groups.front();
  if (all.systems.size() == 1) return mean_sentence(result);
  const size_t chosen = chosen_predictor(result);
  size_t best = 0;
  for (size_t s = 1; s < all.systems.size(); ++s) {
    const auto &estimate = all.systems[s].with[chosen], &most = all.systems[best].with[chosen];
    if (estimate && (!most || estimate->value > most->value)) best = s;
  }
  std::vector<std::string> apart, similar, exact, tied;
  for (const EstimatedDifference& pair : all.differences) {
    if ((pair.first != best && pair.second != best) || !pair.with[chosen]) continue;
    const Estimate lead = lead_of(pair, best, chosen);
    const std::string name = quoted(result.systems[pair.first == best ? pair.second : pair.first]);
    if (pair.is_exact && is_tie(lead, *all.systems[best].with[chosen])) {
      tied.push_back(name);
      continue;
    }
    const std::string text = name + " (difference " + cell(lead.value, lead.interval) + ")";
    (pair.is_exact                                          ? exact
     : lead.value > 0 && lead.p_holm.value() < kSignificant ? apart
                                                            : similar)
        .push_back(text);
  }
  std::vector<std::string> without;
  for (size_t s = 0; s < all.systems.size(); ++s) {
    if (!all.systems[s].with[chosen]) without.push_back(quoted(result.systems[s]));
  }
  const std::string of =
      without.empty() ? "" : "Of the systems with an estimate, without " + join(without) + ", ";
  std::string sentence = of + quoted(result.systems[best]) + " has the highest mean " +
                         result.human + " by labels and " + quoted(result.predictors[chosen]) +
                         ", " + estimate_cell(all.systems[best].with[chosen]);
  if (!apart.empty()) sentence += "; it is significantly higher than that of " + join(apart);
  if (!similar.empty()) {
    sentence += "; it is not significantly higher than that of " + join(similar);
  }
  const auto pairs = std::ranges::count_if(all.differences, [](const EstimatedDifference& pair) {
    return pair.labels_alone.has_value() && !pair.is_exact;
  });
  if (!apart.empty() || !similar.empty()) sentence += ", at 5%";
  if (pairs > 1) sentence += " with Holm's correction for " + counted(pairs, "pair");
  sentence += ".";
  return sentence + exact_sentence(exact, tied);
}

std::string worth_sentence(const EstimateResult& result) {
  const size_t chosen = chosen_predictor(result);
  std::vector<std::string> parts;
  const std::vector<SystemEstimates>& systems = result.groups.front().systems;
  for (size_t s = 0; s < systems.size(); ++s) {
    const std::optional<Estimate>& estimate = systems[s].with[chosen];
    if (!estimate || !estimate->effective_labels) continue;
    const std::string of = systems.size() > 1 ? " of " + quoted(result.systems[s]) : "";
    parts.push_back("the " + std::to_string(systems[s].labels) + " labels" + of + " are worth " +
                    whole(*estimate->effective_labels));
  }
  if (parts.empty()) return "How many labels the metric is worth cannot be said.";
  return "With " + quoted(result.predictors[chosen]) + " " + join(parts) +
         ": so many labels alone would give as narrow an interval.";
}

std::vector<Table> estimate_tables(const EstimateResult& result) {
  std::vector<Table> tables;
  for (const GroupEstimates& group : shown_groups(result.groups)) {
    tables.push_back(means_table(result, group));
    if (!group.differences.empty()) tables.push_back(differences_table(result, group));
    tables.push_back(correlations_table(result, group));
  }
  const std::string note = groups_note(result.groups.size() - 1);
  if (!note.empty()) tables.front().notes.push_back(note);
  return tables;
}

Table estimate_value_table(const EstimateResult& result) {
  Table table;
  table.header = {"figure",         "group",
                  "system",         "other",
                  "source",         "metric",
                  "value",          "low",
                  "high",           "bootstrap_low",
                  "bootstrap_high", "standard_error",
                  "lambda",         "effective_labels",
                  "p_holm",         "n",
                  "labels"};
  for (const GroupEstimates& group : result.groups) add_values(result, group, table);
  return table;
}

}  // namespace rubric::eval
