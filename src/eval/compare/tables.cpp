#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text/utf8.h"
#include "eval/compare/compare.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::string of_group(const GroupComparison& group) {
  return group.name.empty() ? "" : ", " + group.name;
}

bool is_told_apart(const Comparison& pair) {
  constexpr double kLevel = 0.05;
  return pair.permutation_corrected < kLevel;
}

// The systems that a metric puts first, and those that its test does not tell apart from them.
std::string best_note(const SystemComparison& comparison, size_t metric) {
  constexpr double kRounding = 1e-12;
  const MetricComparison& results = comparison.groups.front().metrics[metric];
  const double most = std::ranges::max(results.means, {}, &SystemMean::mean).mean;
  std::vector<std::string> best, similar;
  std::vector<bool> is_best;
  for (size_t s = 0; s < results.means.size(); ++s) {
    is_best.push_back(results.means[s].mean >= most - kRounding);
    if (is_best.back()) best.push_back(comparison.systems[s]);
  }
  for (const Comparison& pair : results.comparisons) {
    if (is_told_apart(pair) || is_best[pair.first] == is_best[pair.second]) continue;
    const std::string& other = comparison.systems[is_best[pair.first] ? pair.second : pair.first];
    if (std::ranges::find(similar, other) == similar.end()) similar.push_back(other);
  }
  const std::string place = comparison.metrics[metric] + ": " + join(best);
  if (best.size() == comparison.systems.size()) return place + " have the same mean";
  return place + (best.size() == 1 ? " has" : " have") + " the highest mean, " +
         (similar.empty() ? "told apart from every other" : "not told apart from " + join(similar));
}

Table means_table(const SystemComparison& comparison, const GroupComparison& group) {
  Table table{"Means over " + counted(group.n, "record") + of_group(group),
              {"system"},
              {},
              {Align::left},
              {}};
  for (const std::string& metric : comparison.metrics) table.header.push_back(metric);
  for (size_t s = 0; s < comparison.systems.size(); ++s) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(comparison.systems[s]);
    for (const MetricComparison& metric : group.metrics) {
      row.push_back(cell(metric.means[s].mean, metric.means[s].interval));
    }
  }
  if (!group.name.empty()) return table;
  for (size_t m = 0; m < comparison.metrics.size(); ++m) {
    table.notes.push_back(best_note(comparison, m));
  }
  table.notes.emplace_back("told apart: at 0.05, by the permutation test with Holm's correction");
  table.notes.insert(table.notes.end(), comparison.notes.begin(), comparison.notes.end());
  return table;
}

// What the numbers of a group's tests are; what holds for all groups stands below the first.
std::vector<std::string> test_notes(const SystemComparison& comparison,
                                    const GroupComparison& group, bool has_least) {
  std::vector<std::string> notes;
  if (group.name.empty()) {
    notes.push_back("95% intervals and p from " + counted(comparison.resamples, "resample") +
                    " and " + counted(comparison.permutations, "drawn permutation") +
                    ", or all permutations of at most 20 questions");
    const size_t tests = count_tests(comparison);
    if (tests > 1) {
      notes.push_back("p of each test: Holm-corrected over all " + std::to_string(tests) +
                      " comparisons");
    }
    notes.emplace_back(
        "wins, ties, losses: records that score higher with the first system, with "
        "neither, with the second");
  }
  if (has_least) {
    notes.emplace_back("≤: an upper bound, the least p of so many resamples or permutations");
  }
  if (group.questions < group.n) {
    notes.push_back(counted(group.n, "row") + " of " + counted(group.questions, "question") +
                    ", resampled and exchanged by question");
  }
  return notes;
}

Table tests_table(const SystemComparison& comparison, const GroupComparison& group) {
  const bool has_metrics = comparison.metrics.size() > 1;
  Table table{"Differences, with p of the paired bootstrap and the paired permutation test" +
                  of_group(group),
              {"systems", "difference", "wins", "ties", "losses", "p (bootstrap)", "Holm",
               "p (permutation)", "Holm"},
              {},
              {Align::left},
              {}};
  bool has_least = false;
  for (size_t m = 0; m < group.metrics.size(); ++m) {
    for (const Comparison& pair : group.metrics[m].comparisons) {
      std::vector<std::string>& row = table.rows.emplace_back();
      if (has_metrics) row.push_back(comparison.metrics[m]);
      row.insert(row.end(), {pair_name(comparison, pair), cell(pair.difference, pair.interval),
                             std::to_string(pair.wins), std::to_string(pair.ties),
                             std::to_string(pair.losses)});
      for (const auto& [p, is_least] :
           {std::pair(pair.bootstrap_p, pair.bootstrap_is_least),
            {pair.bootstrap_corrected, pair.bootstrap_corrected_is_least},
            {pair.permutation_p, pair.permutation_is_least},
            {pair.permutation_corrected, pair.permutation_corrected_is_least}}) {
        row.push_back(p_cell(p, is_least));
        has_least |= row.back().starts_with("≤");
      }
    }
  }
  if (has_metrics) {
    table.header.insert(table.header.begin(), "metric");
    table.alignment.push_back(Align::left);
  }
  table.notes = test_notes(comparison, group, has_least);
  return table;
}

// The text's first characters, with "…" where it has more.
std::string shortened(const std::string& text, size_t most) {
  size_t position = 0;
  for (size_t count = 0; count < most && position < text.size(); ++count) {
    decode_utf8(text, position);
  }
  return position < text.size() ? text.substr(0, position) + "…" : text;
}

Table differing_table(const SystemComparison& comparison, const DifferingRows& pair,
                      size_t longest) {
  const std::string &first = comparison.systems[pair.first],
                    &second = comparison.systems[pair.second], &metric = comparison.metrics.front();
  Table table{"Rows on which " + first + " and " + second + " differ most in " + metric,
              {},
              std::vector<std::vector<std::string>>(pair.rows.size()),
              {},
              {}};
  const auto add = [&](const std::string& name, Align align, auto cell_of) {
    std::vector<std::string> cells;
    for (const DifferingRow& row : pair.rows) cells.push_back(cell_of(row));
    if (std::ranges::all_of(cells, &std::string::empty)) return;
    table.header.push_back(name);
    table.alignment.push_back(align);
    for (size_t i = 0; i < cells.size(); ++i) table.rows[i].push_back(std::move(cells[i]));
  };
  const auto add_text = [&](const std::string& name, std::string DifferingRow::*text) {
    add(name, Align::left, [=](const DifferingRow& row) { return shortened(row.*text, longest); });
  };
  const auto add_score = [&](const std::string& system, double DifferingRow::*score) {
    add(metric + " of " + system, Align::right,
        [=](const DifferingRow& row) { return cell(row.*score); });
  };
  add("id", Align::left, [](const DifferingRow& row) {
    return to_text(RecordKey{row.group, row.constituent, row.id});
  });
  add_text("question", &DifferingRow::question);
  add_text("reference", &DifferingRow::reference);
  add_text(first, &DifferingRow::first_candidate);
  add_score(first, &DifferingRow::first_score);
  add_text(second, &DifferingRow::second_candidate);
  add_score(second, &DifferingRow::second_score);
  return table;
}

void add_values(const SystemComparison& comparison, const GroupComparison& group, size_t metric,
                Table& table) {
  const std::string n = std::to_string(group.n);
  const auto low = [](const std::optional<stats::Interval>& interval) {
    return interval ? number(interval->low) : "";
  };
  const auto high = [](const std::optional<stats::Interval>& interval) {
    return interval ? number(interval->high) : "";
  };
  const std::string& name = comparison.metrics[metric];
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    const SystemMean& mean = group.metrics[metric].means[i];
    table.rows.push_back({name,
                          comparison.systems[i],
                          "mean",
                          group.name,
                          "",
                          number(mean.mean),
                          low(mean.interval),
                          high(mean.interval),
                          "",
                          "",
                          "",
                          "",
                          n,
                          "",
                          "",
                          "",
                          "",
                          "",
                          "",
                          ""});
  }
  for (const Comparison& pair : group.metrics[metric].comparisons) {
    table.rows.push_back({name,
                          comparison.systems[pair.first],
                          "difference",
                          group.name,
                          comparison.systems[pair.second],
                          number(pair.difference),
                          low(pair.interval),
                          high(pair.interval),
                          p_number(pair.bootstrap_p),
                          p_number(pair.bootstrap_corrected),
                          p_number(pair.permutation_p),
                          p_number(pair.permutation_corrected),
                          n,
                          std::to_string(pair.wins),
                          std::to_string(pair.ties),
                          std::to_string(pair.losses),
                          boolean(pair.bootstrap_is_least),
                          boolean(pair.bootstrap_corrected_is_least),
                          boolean(pair.permutation_is_least),
                          boolean(pair.permutation_corrected_is_least)});
  }
}

}  // namespace

std::string pair_name(const SystemComparison& comparison, const Comparison& pair) {
  return comparison.systems[pair.first] + " – " + comparison.systems[pair.second];
}

std::vector<Table> comparison_tables(const SystemComparison& comparison) {
  std::vector<Table> tables;
  for (const GroupComparison& group : shown_groups(comparison.groups)) {
    tables.push_back(means_table(comparison, group));
    tables.push_back(tests_table(comparison, group));
  }
  const std::string note = groups_note(comparison.groups.size());
  if (!note.empty()) tables.front().notes.push_back(note);
  return tables;
}

std::vector<Table> differing_tables(const SystemComparison& comparison, size_t longest) {
  std::vector<Table> tables;
  for (const DifferingRows& pair : comparison.differing) {
    if (!pair.rows.empty()) tables.push_back(differing_table(comparison, pair, longest));
  }
  return tables;
}

Table comparison_value_table(const SystemComparison& comparison) {
  Table table;
  table.header = {"metric",
                  "system",
                  "figure",
                  "group",
                  "other",
                  "value",
                  "low",
                  "high",
                  "p_bootstrap",
                  "p_bootstrap_holm",
                  "p_permutation",
                  "p_permutation_holm",
                  "n",
                  "wins",
                  "ties",
                  "losses",
                  "p_bootstrap_is_least",
                  "p_bootstrap_holm_is_least",
                  "p_permutation_is_least",
                  "p_permutation_holm_is_least"};
  for (const GroupComparison& group : comparison.groups) {
    for (size_t m = 0; m < comparison.metrics.size(); ++m) add_values(comparison, group, m, table);
  }
  return table;
}

}  // namespace rubric::eval
