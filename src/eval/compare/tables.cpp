#include <algorithm>
#include <utility>

#include "eval/compare/compare.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::vector<std::string> notes_of(const SystemComparison& comparison,
                                  const GroupComparison& group) {
  const std::string resamples = std::to_string(comparison.resamples);
  const std::string exchanges = std::to_string(comparison.exchanges);
  std::vector<std::string> notes = {"95% intervals and p of " + resamples + " resamples and " +
                                    exchanges + " exchanges, or all where there are fewer"};
  const auto is_shown = [](double p, bool is_least) {
    return p_cell(p, is_least).starts_with("≤");
  };
  const bool has_least = std::ranges::any_of(group.comparisons, [&](const Comparison& pair) {
    return is_shown(pair.bootstrap_corrected, pair.bootstrap_is_least) ||
           is_shown(pair.permutation_corrected, pair.permutation_is_least);
  });
  if (has_least) notes.emplace_back("≤: the least that so many resamples or exchanges can give");
  const size_t tests = comparison.groups.size() * group.comparisons.size();
  if (tests > 1) {
    notes.push_back("p of each test: Holm-corrected over all " + std::to_string(tests) +
                    " comparisons");
  }
  if (group.questions < group.n) {
    notes.push_back(std::to_string(group.n) + " rows of " + std::to_string(group.questions) +
                    " questions, resampled and exchanged by question");
  }
  return notes;
}

void add_tables(const SystemComparison& comparison, const GroupComparison& group,
                std::vector<Table>& tables) {
  const std::string of_group = group.name.empty() ? "" : ", " + group.name;
  Table means{
      "Mean " + comparison.metric + " over " + std::to_string(group.n) + " records" + of_group,
      {"system", "mean"},
      {},
      {Align::left},
      {}};
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    means.rows.push_back(
        {comparison.systems[i], cell(group.means[i].mean, group.means[i].interval)});
  }
  Table tests{
      "Differences, with p of the paired bootstrap and the paired permutation test" + of_group,
      {"systems", "difference", "p (bootstrap)", "Holm", "p (permutation)", "Holm"},
      {},
      {Align::left},
      notes_of(comparison, group)};
  for (const Comparison& pair : group.comparisons) {
    tests.rows.push_back({comparison.systems[pair.first] + " – " + comparison.systems[pair.second],
                          cell(pair.difference, pair.interval),
                          p_cell(pair.bootstrap_p, pair.bootstrap_is_least),
                          p_cell(pair.bootstrap_corrected, pair.bootstrap_is_least),
                          p_cell(pair.permutation_p, pair.permutation_is_least),
                          p_cell(pair.permutation_corrected, pair.permutation_is_least)});
  }
  tables.push_back(std::move(means));
  tables.push_back(std::move(tests));
}

void add_values(const SystemComparison& comparison, const GroupComparison& group, Table& table) {
  const std::string n = std::to_string(group.n);
  const auto low = [](const std::optional<stats::Interval>& interval) {
    return interval ? number(interval->low) : "";
  };
  const auto high = [](const std::optional<stats::Interval>& interval) {
    return interval ? number(interval->high) : "";
  };
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    const SystemMean& mean = group.means[i];
    table.rows.push_back({comparison.systems[i], "mean", group.name, "", number(mean.mean),
                          low(mean.interval), high(mean.interval), "", "", "", "", n});
  }
  for (const Comparison& pair : group.comparisons) {
    table.rows.push_back({comparison.systems[pair.first], "difference", group.name,
                          comparison.systems[pair.second], number(pair.difference),
                          low(pair.interval), high(pair.interval), p_number(pair.bootstrap_p),
                          p_number(pair.bootstrap_corrected), p_number(pair.permutation_p),
                          p_number(pair.permutation_corrected), n});
  }
}

void add_json(const SystemComparison& comparison, const GroupComparison& group, Json& json) {
  json["n"] = group.n;
  json["questions"] = group.questions;
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    json["systems"][comparison.systems[i]] =
        Json::Object{{"mean", group.means[i].mean}, {"ci95", or_null(group.means[i].interval)}};
  }
  Json::Array pairs;
  for (const Comparison& pair : group.comparisons) {
    pairs.push_back(Json::Object{{"first", comparison.systems[pair.first]},
                                 {"second", comparison.systems[pair.second]},
                                 {"difference", pair.difference},
                                 {"ci95", or_null(pair.interval)},
                                 {"p_bootstrap", pair.bootstrap_p},
                                 {"p_bootstrap_holm", pair.bootstrap_corrected},
                                 {"p_permutation", pair.permutation_p},
                                 {"p_permutation_holm", pair.permutation_corrected},
                                 {"p_bootstrap_is_least", pair.bootstrap_is_least},
                                 {"p_permutation_is_least", pair.permutation_is_least}});
  }
  json["comparisons"] = std::move(pairs);
}

}  // namespace

std::vector<Table> comparison_tables(const SystemComparison& comparison) {
  std::vector<Table> tables;
  for (const GroupComparison& group : comparison.groups) add_tables(comparison, group, tables);
  if (!comparison.note.empty()) tables.front().notes.push_back(comparison.note);
  return tables;
}

Table comparison_value_table(const SystemComparison& comparison) {
  Table table;
  table.header = {"system",
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
                  "n"};
  for (const GroupComparison& group : comparison.groups) add_values(comparison, group, table);
  return table;
}

Json to_json(const SystemComparison& comparison) {
  Json json;
  json["metric"] = comparison.metric;
  add_json(comparison, comparison.groups.front(), json);
  for (size_t i = 1; i < comparison.groups.size(); ++i) {
    add_json(comparison, comparison.groups[i], json["groups"][comparison.groups[i].name]);
  }
  if (!comparison.signature.empty()) json["signature"] = comparison.signature;
  if (!comparison.note.empty()) json["note"] = comparison.note;
  return json;
}

}  // namespace rubric::eval
