#include <algorithm>
#include <utility>

#include "core/error.h"
#include "eval/agreement/output.h"
#include "eval/report/table.h"

namespace rubric::eval {

namespace {

std::string rows_of(int64_t n) {
  return std::to_string(n) + (n == 1 ? " row" : " rows");
}

Table correlation_table(const Agreement& agreement, const std::vector<size_t>& order) {
  const GroupAgreement& all = agreement.groups.front();
  Table table{"Agreement with human labels over " + rows_of(all.n),
              {"metric", "Pearson's r", "Spearman's rho", "Kendall's tau-b"},
              {},
              {Align::left},
              agreement_notes(agreement)};
  for (const size_t i : order) {
    const MetricAgreement& metric = all.metrics[i];
    table.rows.push_back({agreement.metrics[i], cell(metric.correlations.pearson, metric.pearson),
                          cell(metric.correlations.spearman, metric.spearman),
                          cell(metric.correlations.kendall, metric.kendall)});
    table.counts.push_back(all.n);
  }
  return table;
}

Table group_table(const Agreement& agreement, const std::vector<size_t>& order) {
  Table table{"Pearson's r by group", {"group", "n"}, {}, {Align::left}, {}};
  for (const size_t i : order) table.header.push_back(agreement.metrics[i]);
  for (size_t g = 1; g < agreement.groups.size(); ++g) {
    const GroupAgreement& group = agreement.groups[g];
    std::vector<std::string> row = {group.name, std::to_string(group.n)};
    for (const size_t i : order) {
      row.push_back(cell(group.metrics[i].correlations.pearson, group.metrics[i].pearson));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
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
    const SystemAgreement& figures = systems.figures[i];
    const SystemInterval& interval = systems.intervals[i];
    table.rows.push_back({agreement.metrics[i],
                          cell(figures.correlations.pearson, interval.pearson),
                          cell(figures.correlations.spearman, interval.spearman),
                          cell(figures.correlations.kendall, interval.kendall),
                          cell(figures.pairwise_accuracy, interval.pairwise_accuracy)});
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
  const std::string exchanges = std::to_string(agreement.exchanges) + " exchanges";
  const std::string test = agreement.options.test == AgreementTest::williams
                               ? "Williams' test"
                               : "paired permutation test, " + exchanges + " or all";
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
                    : found != nullptr ? p_cell(found->corrected_p, found->is_least)
                                       : "–");
    }
    table.rows.push_back(std::move(row));
  }
  const bool has_least = std::ranges::any_of(table.rows, [](const auto& row) {
    return std::ranges::any_of(row, [](const auto& text) { return text.starts_with("≤"); });
  });
  if (has_least) table.notes.push_back("≤: the least that " + exchanges + " can give");
  return table;
}

bool has_tests(const Agreement& agreement, const GroupAgreement& group) {
  return std::any_of(agreement.tests.begin(), agreement.tests.end(),
                     [&](const MetricTest& test) { return test.group == group.name; });
}

// Rows of agreement_value_table.
class ValueRows {
 public:
  explicit ValueRows(Table& table) : table_(table) {}
  void add(const std::string& metric, const std::string& figure, const std::string& group,
           std::optional<double> value, const std::optional<stats::Interval>& interval, int64_t n) {
    table_.rows.push_back({metric, figure, group, "", number(value),
                           interval ? number(interval->low) : "",
                           interval ? number(interval->high) : "", "", "", std::to_string(n)});
  }
  void add(const std::string& first, const std::string& second, const MetricTest& test, int64_t n) {
    table_.rows.push_back({first, "difference", test.group, second, number(test.difference), "", "",
                           p_number(test.p), p_number(test.corrected_p), std::to_string(n)});
  }

 private:
  Table& table_;
};

void add_systems(const Agreement& agreement, ValueRows& rows) {
  const SystemLevel& systems = *agreement.systems;
  const std::string prefix = "system_";
  for (size_t i = 0; i < systems.figures.size(); ++i) {
    const auto add = [&](const char* figure, std::optional<double> value,
                         const std::optional<stats::Interval>& interval) {
      rows.add(agreement.metrics[i], prefix + figure, "", value, interval,
               std::ssize(systems.systems));
    };
    const SystemAgreement& figures = systems.figures[i];
    const SystemInterval& interval = systems.intervals[i];
    add("pearson", figures.correlations.pearson, interval.pearson);
    add("spearman", figures.correlations.spearman, interval.spearman);
    add("kendall", figures.correlations.kendall, interval.kendall);
    add("pairwise_accuracy", figures.pairwise_accuracy, interval.pairwise_accuracy);
  }
  for (size_t system = 0; system < systems.systems.size(); ++system) {
    const auto add = [&](const std::string& metric, double mean) {
      rows.add(metric, prefix + "mean", systems.systems[system], mean, {}, systems.n[system]);
    };
    add("human", systems.human[system]);
    for (size_t i = 0; i < agreement.metrics.size(); ++i) {
      add(agreement.metrics[i], systems.means[i][system]);
    }
  }
}

std::string place(const GroupAgreement& group) {
  return group.name.empty() ? "all rows" : group.name;
}

// Whether the tests' assumption holds: Williams' test assumes independent rows.
bool tests_hold(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  return agreement.options.test == AgreementTest::permutation || all.questions == all.n;
}

// "" when fewer than two metrics have a correlation.
std::string best_note(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  std::vector<size_t> order = by_agreement(all);
  std::erase_if(order, [&](size_t i) { return !all.metrics[i].correlations.pearson; });
  if (order.size() < 2) return "";
  const std::string best = agreement.metrics[order[0]] + " agrees best (Pearson's r)";
  if (!tests_hold(agreement)) return best;
  constexpr double kLevel = 0.05;
  std::vector<std::string> similar;
  for (size_t i = 1; i < order.size(); ++i) {
    const MetricTest* test = find_test(agreement.tests, all.name, order[0], order[i]);
    if (test == nullptr || test->corrected_p >= kLevel) {
      similar.push_back(agreement.metrics[order[i]]);
    }
  }
  return best + "; " +
         (similar.empty() ? "its lead over every other is significant at 0.05"
                          : "not told apart from it at 0.05: " + join(similar));
}

std::string undefined_note(const Agreement& agreement, const GroupAgreement& group) {
  if (group.n < 2) return place(group) + ": one row, correlations are undefined";
  if (group.is_human_constant) {
    return place(group) + ": all human labels are the same, correlations are undefined";
  }
  std::vector<std::string> constant;
  for (size_t i = 0; i < group.metrics.size(); ++i) {
    if (!group.metrics[i].correlations.pearson) constant.push_back(agreement.metrics[i]);
  }
  if (constant.empty()) return "";
  return place(group) + ": all scores are the same, correlations are undefined for " +
         join(constant);
}

bool shares_questions(const GroupAgreement& group) {
  return group.questions < group.n;
}

// Notes on what the intervals resample, and what they and the tests assume to be independent.
std::vector<std::string> resampling_notes(const Agreement& agreement) {
  const std::string resamples = std::to_string(agreement.options.bootstrap.resamples);
  const std::string unit = agreement.has_questions ? "question" : "record";
  std::vector<std::string> notes = {"95% intervals of " + resamples + " bootstrap resamples"};
  for (const GroupAgreement& group : agreement.groups) {
    if (!shares_questions(group)) continue;
    notes.push_back(place(group) + ": " + std::to_string(group.n) + " rows of " +
                    std::to_string(group.questions) + " " + unit + "s, resampled by " + unit);
  }
  if (!agreement.has_questions && !shares_questions(agreement.groups.front())) {
    notes.emplace_back("no row has a \"question\": rows are taken as independent");
  }
  if (!tests_hold(agreement) && !agreement.tests.empty()) {
    notes.emplace_back(
        "Williams' test takes rows as independent, which answers to one question are not: "
        "--test permutation exchanges them together");
  }
  return notes;
}

std::string systems_note(const SystemLevel& systems) {
  if (systems.systems.size() == 1) {
    return "one system only (" + systems.systems[0] + "): no figures at the level of systems";
  }
  if (systems.systems.size() == 2) {
    return "two systems always correlate by 1 or -1: only their order is given";
  }
  return "";
}

}  // namespace

std::vector<Table> agreement_tables(const Agreement& agreement) {
  const std::vector<size_t> order = by_agreement(agreement.groups.front());
  std::vector<Table> tables = {correlation_table(agreement, order)};
  if (agreement.groups.size() > 1) tables.push_back(group_table(agreement, order));
  for (const GroupAgreement& group : agreement.groups) {
    if (has_tests(agreement, group)) tables.push_back(test_matrix(agreement, group));
  }
  if (!agreement.systems) return tables;
  if (!agreement.systems->figures.empty()) tables.push_back(system_table(agreement, order));
  tables.push_back(means_table(agreement, order));
  return tables;
}

Table agreement_value_table(const Agreement& agreement) {
  Table table;
  table.header = {"metric", "figure", "group", "other", "value", "low", "high", "p", "p_holm", "n"};
  ValueRows rows(table);
  for (const GroupAgreement& group : agreement.groups) {
    for (size_t i = 0; i < agreement.metrics.size(); ++i) {
      const MetricAgreement& metric = group.metrics[i];
      const auto add = [&](const char* figure, std::optional<double> value,
                           const std::optional<stats::Interval>& interval) {
        rows.add(agreement.metrics[i], figure, group.name, value, interval, group.n);
      };
      add("pearson", metric.correlations.pearson, metric.pearson);
      add("spearman", metric.correlations.spearman, metric.spearman);
      add("kendall", metric.correlations.kendall, metric.kendall);
    }
    for (const MetricTest& test : agreement.tests) {
      if (test.group != group.name) continue;
      rows.add(agreement.metrics[test.first], agreement.metrics[test.second], test, group.n);
    }
  }
  if (agreement.systems) add_systems(agreement, rows);
  return table;
}

std::vector<std::string> agreement_notes(const Agreement& agreement) {
  std::vector<std::string> notes = resampling_notes(agreement);
  notes.insert(notes.begin(), best_note(agreement));
  if (agreement.unlabelled > 0) {
    notes.push_back(std::to_string(agreement.unlabelled) +
                    " rows have no human label and are left out");
  }
  constexpr int64_t kFewest = 4;
  for (const GroupAgreement& group : agreement.groups) {
    notes.push_back(undefined_note(agreement, group));
    if (group.n >= kFewest || agreement.metrics.size() < 2) continue;
    notes.push_back(place(group) + ": too few rows (" + std::to_string(group.n) +
                    ") to test metrics against each other");
  }
  if (agreement.systems) notes.push_back(systems_note(*agreement.systems));
  std::erase(notes, "");
  return notes;
}

}  // namespace rubric::eval
