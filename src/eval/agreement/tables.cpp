#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/error.h"
#include "eval/agreement/agreement.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::string score_cell(double score, int digits) {
  return std::isinf(score) ? "none" : format_significant(score, digits);
}

// "over 5 rows", and which.
std::string over_rows(const GroupAgreement& group) {
  return "over " + counted(group.n, "row") +
         (group.name == kUnseen ? " with unseen questions" : "");
}

Table correlation_table(const Agreement& agreement, const GroupAgreement& all,
                        const std::vector<size_t>& order) {
  Table table{"Agreement with human labels " + over_rows(all),
              {"metric", "Pearson's r", "Spearman's rho", "Kendall's tau-b", "pairwise accuracy",
               "epsilon"},
              {},
              {Align::left},
              {}};
  for (const size_t i : order) {
    const MetricAgreement& metric = all.metrics[i];
    const PairAgreement& pairs = metric.pairs;
    table.rows.push_back({agreement.metrics[i], cell(metric.correlations.pearson, metric.pearson),
                          cell(metric.correlations.spearman, metric.spearman),
                          cell(metric.correlations.kendall, metric.kendall),
                          cell(pairs.accuracy, pairs.interval),
                          pairs.accuracy ? format_significant(pairs.epsilon) : cell({})});
    table.counts.push_back(all.n);
  }
  return table;
}

// With those of the halves in brackets, if halves are measured.
std::string threshold_cell(const ThresholdAgreement& thresholds) {
  const std::string text = score_cell(thresholds.threshold, thresholds.digits);
  if (!thresholds.half_thresholds) return text;
  const auto& [first, second] = *thresholds.half_thresholds;
  const auto& [first_digits, second_digits] = thresholds.half_digits;
  return text + " (" + score_cell(first, first_digits) + ", " + score_cell(second, second_digits) +
         ")";
}

Table binary_table(const Agreement& agreement, const GroupAgreement& all,
                   const std::vector<size_t>& order) {
  const std::string threshold = agreement.dev ? "dev threshold" : "threshold";
  Table table{"Agreement with the two labels " + over_rows(all),
              {"metric", "ROC AUC", "accuracy", threshold, "F1", threshold, "ECE"},
              {},
              {Align::left},
              {}};
  for (const size_t i : order) {
    const bool is_measured = all.metrics[i].binary.has_value();
    const BinaryAgreement binary = all.metrics[i].binary.value_or(BinaryAgreement());
    const auto at = [&](const ThresholdAgreement& of) {
      return is_measured ? threshold_cell(of) : cell({});
    };
    table.rows.push_back({agreement.metrics[i], cell(binary.roc_auc, binary.roc_auc_interval),
                          cell(binary.accuracy.value, binary.accuracy.interval),
                          at(binary.accuracy), cell(binary.f1.value, binary.f1.interval),
                          at(binary.f1), cell(binary.calibration_error)});
    table.counts.push_back(all.n);
  }
  return table;
}

using GroupCell = std::function<std::string(const GroupAgreement&)>;
using MetricCell = std::function<std::string(const MetricAgreement&)>;

// A row for each group with a cell for each metric, after `column` where it has a name.
Table group_table(const Agreement& agreement, const std::vector<size_t>& order,
                  const std::string& title, const MetricCell& metric_cell,
                  const std::string& column = "", const GroupCell& group_cell = {}) {
  Table table{title + " by group", {"group", "n"}, {}, {Align::left}, {}};
  if (!column.empty()) table.header.push_back(column);
  for (const size_t i : order) table.header.push_back(agreement.metrics[i]);
  for (const GroupAgreement& group : shown_groups(agreement.groups)) {
    if (group.name.empty()) continue;
    std::vector<std::string> row = {group.name, std::to_string(group.n)};
    if (!column.empty()) row.push_back(group_cell(group));
    for (const size_t i : order) row.push_back(metric_cell(group.metrics[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Pearson's r, pairwise accuracy and, for binary labels, what binary_table() shows.
std::vector<Table> group_tables(const Agreement& agreement, const std::vector<size_t>& order) {
  using Metric = const MetricAgreement&;
  using Binary = const BinaryAgreement&;
  std::vector<Table> tables = {
      group_table(agreement, order, "Pearson's r",
                  [](Metric m) { return cell(m.correlations.pearson, m.pearson); }),
      group_table(
          agreement, order, "Pairwise accuracy",
          [](Metric m) { return cell(m.pairs.accuracy, m.pairs.interval); }, "all tied",
          [](const GroupAgreement& group) { return cell(group.pairs.tied); })};
  if (!agreement.labels) return tables;
  const std::string at_dev = agreement.dev ? " at the dev threshold" : "";
  const auto add = [&](const std::string& title, std::string (*binary_cell)(Binary)) {
    tables.push_back(group_table(
        agreement, order, title,
        [&](Metric m) { return m.binary ? binary_cell(*m.binary) : cell({}); }, "positive",
        [](const GroupAgreement& group) { return std::to_string(group.positives); }));
  };
  add("ROC AUC", [](Binary b) { return cell(b.roc_auc, b.roc_auc_interval); });
  add("Accuracy" + at_dev, [](Binary b) { return cell(b.accuracy.value, b.accuracy.interval); });
  add("F1" + at_dev, [](Binary b) { return cell(b.f1.value, b.f1.interval); });
  add("Expected calibration error", [](Binary b) { return cell(b.calibration_error); });
  return tables;
}

Table system_table(const Agreement& agreement, const std::vector<size_t>& order) {
  const SystemLevel& systems = *agreement.systems;
  Table table{
      "Agreement over the means of " + std::to_string(systems.systems.size()) + " systems",
      {"metric", "Pearson's r", "Spearman's rho", "Kendall's tau-b", "pairs ordered as by humans"},
      {},
      {Align::left},
      {}};
  for (const size_t i : order) {
    const SystemAgreement& values = systems.values[i];
    const SystemInterval& interval = systems.intervals[i];
    table.rows.push_back({agreement.metrics[i], cell(values.correlations.pearson, interval.pearson),
                          cell(values.correlations.spearman, interval.spearman),
                          cell(values.correlations.kendall, interval.kendall),
                          cell(values.pairwise_accuracy, interval.pairwise_accuracy)});
    table.counts.push_back(std::ssize(systems.systems));
  }
  return table;
}

Table means_table(const Agreement& agreement, const std::vector<size_t>& order) {
  const SystemLevel& systems = *agreement.systems;
  Table table{"Means by system", {"system", "n", "human"}, {}, {Align::left}, {}};
  for (const size_t i : order) table.header.push_back(agreement.metrics[i]);
  for (size_t system = 0; system < systems.systems.size(); ++system) {
    std::vector<std::string> row = {systems.systems[system], std::to_string(systems.n[system]),
                                    cell(systems.human[system])};
    for (const size_t i : order) row.push_back(cell(systems.means[i][system]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// For one group: a matrix of metrics with Holm's p of each pair above the diagonal.
Table test_matrix(const Agreement& agreement, const GroupAgreement& group) {
  const std::vector<size_t> order = by_agreement(group);
  const std::string drawn = std::to_string(agreement.permutations) + " drawn permutations";
  const std::string test =
      agreement.options.test == AgreementTest::williams
          ? "Williams' test"
          : "paired permutation test, " + drawn + ", or all of at most 20 questions";
  Table table{"p of a difference between two metrics' r" +
                  (group.name.empty() ? "" : ", " + group.name) + " (" + test + ")",
              {"metric"},
              {},
              {Align::left},
              {correction_note(agreement.tests)}};
  table.is_folded = true;
  for (size_t b = 1; b < order.size(); ++b) table.header.push_back(agreement.metrics[order[b]]);
  for (size_t a = 0; a + 1 < order.size(); ++a) {
    std::vector<std::string> row = {agreement.metrics[order[a]]};
    for (size_t b = 1; b < order.size(); ++b) {
      const MetricTest* found =
          b > a ? find_test(agreement.tests, group.name, order[a], order[b]) : nullptr;
      row.push_back(b <= a             ? ""
                    : found != nullptr ? p_cell(found->corrected_p, found->is_corrected_least)
                                       : "–");
    }
    table.rows.push_back(std::move(row));
  }
  const bool has_least = std::ranges::any_of(table.rows, [](const auto& row) {
    return std::ranges::any_of(row, [](const auto& text) { return text.starts_with("≤"); });
  });
  if (has_least) table.notes.push_back("≤: an upper bound, the least p of " + drawn);
  return table;
}

bool has_tests(const Agreement& agreement, const GroupAgreement& group) {
  return std::any_of(agreement.tests.begin(), agreement.tests.end(),
                     [&](const MetricTest& test) { return test.group == group.name; });
}

}  // namespace

std::vector<Table> agreement_tables(const Agreement& agreement) {
  const std::vector<size_t> order = by_agreement(agreement.groups.front());
  std::vector<Table> tables;
  for (const GroupAgreement& group : shown_groups(agreement.groups)) {
    if (!group.name.empty() && group.name != kUnseen) continue;
    tables.push_back(correlation_table(agreement, group, order));
    if (agreement.labels) tables.push_back(binary_table(agreement, group, order));
  }
  tables[0].notes = agreement_notes(agreement, shown_groups(agreement.groups));
  tables[0].notes.push_back(groups_note(agreement.groups.size() - first_group(agreement.groups)));
  std::erase(tables[0].notes, "");
  if (agreement.labels) tables[1].notes = binary_notes(agreement);
  if (agreement.groups.back().name != kUnseen && agreement.groups.size() > 1) {
    for (Table& table : group_tables(agreement, order)) tables.push_back(std::move(table));
  }
  for (const GroupAgreement& group : shown_groups(agreement.groups)) {
    if (has_tests(agreement, group)) tables.push_back(test_matrix(agreement, group));
  }
  if (!agreement.systems) return tables;
  if (!agreement.systems->values.empty()) tables.push_back(system_table(agreement, order));
  tables.push_back(means_table(agreement, order));
  return tables;
}

}  // namespace rubric::eval
