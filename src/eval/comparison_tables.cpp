// The forms of compare_systems.h.
#include "eval/compare_systems.h"
#include "eval/figures.h"

namespace rubric {
namespace {

std::vector<std::string> notes_of(const SystemComparison& comparison) {
  const std::string resamples = std::to_string(comparison.resamples);
  std::vector<std::string> notes = {"95% intervals and p of " + resamples + " resamples and " +
                                    resamples + " exchanges"};
  if (comparison.comparisons.size() > 1) {
    notes.push_back("p of each test: Holm-corrected over all " +
                    std::to_string(comparison.comparisons.size()) + " comparisons");
  }
  if (comparison.questions < comparison.n) {
    notes.push_back(std::to_string(comparison.n) + " rows of " +
                    std::to_string(comparison.questions) +
                    " questions, resampled and exchanged by question");
  }
  return notes;
}

}  // namespace

std::vector<Table> comparison_tables(const SystemComparison& comparison) {
  Table means{"Mean " + comparison.metric + " over " + std::to_string(comparison.n) + " records",
              {"system", "mean"},
              {},
              {Align::left},
              {}};
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    means.rows.push_back(
        {comparison.systems[i], cell(comparison.means[i].mean, comparison.means[i].interval)});
  }
  Table tests{"Differences, with p of the paired bootstrap and the paired permutation test",
              {"systems", "difference", "p (bootstrap)", "Holm", "p (permutation)", "Holm"},
              {},
              {Align::left},
              notes_of(comparison)};
  for (const Comparison& pair : comparison.comparisons) {
    tests.rows.push_back({comparison.systems[pair.first] + " – " + comparison.systems[pair.second],
                          cell(pair.difference, pair.interval), p_cell(pair.bootstrap_p),
                          p_cell(pair.bootstrap_corrected), p_cell(pair.permutation_p),
                          p_cell(pair.permutation_corrected)});
  }
  return {means, tests};
}

Table comparison_figures(const SystemComparison& comparison) {
  Table table;
  table.header = {"system",
                  "figure",
                  "other",
                  "value",
                  "low",
                  "high",
                  "p_bootstrap",
                  "p_bootstrap_holm",
                  "p_permutation",
                  "p_permutation_holm",
                  "n"};
  const std::string n = std::to_string(comparison.n);
  const auto low = [](const std::optional<Interval>& interval) {
    return interval ? number(interval->low) : "";
  };
  const auto high = [](const std::optional<Interval>& interval) {
    return interval ? number(interval->high) : "";
  };
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    const SystemMean& mean = comparison.means[i];
    table.rows.push_back({comparison.systems[i], "mean", "", number(mean.mean), low(mean.interval),
                          high(mean.interval), "", "", "", "", n});
  }
  for (const Comparison& pair : comparison.comparisons) {
    table.rows.push_back({comparison.systems[pair.first], "difference",
                          comparison.systems[pair.second], number(pair.difference),
                          low(pair.interval), high(pair.interval), number(pair.bootstrap_p),
                          number(pair.bootstrap_corrected), number(pair.permutation_p),
                          number(pair.permutation_corrected), n});
  }
  return table;
}

Json to_json(const SystemComparison& comparison) {
  Json json;
  json["metric"] = comparison.metric;
  json["n"] = comparison.n;
  json["questions"] = comparison.questions;
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    json["systems"][comparison.systems[i]] = Json::Object{
        {"mean", comparison.means[i].mean}, {"ci95", or_null(comparison.means[i].interval)}};
  }
  Json::Array pairs;
  for (const Comparison& pair : comparison.comparisons) {
    pairs.push_back(Json::Object{{"first", comparison.systems[pair.first]},
                                 {"second", comparison.systems[pair.second]},
                                 {"difference", pair.difference},
                                 {"ci95", or_null(pair.interval)},
                                 {"p_bootstrap", pair.bootstrap_p},
                                 {"p_bootstrap_holm", pair.bootstrap_corrected},
                                 {"p_permutation", pair.permutation_p},
                                 {"p_permutation_holm", pair.permutation_corrected}});
  }
  json["comparisons"] = std::move(pairs);
  if (!comparison.signature.empty()) json["signature"] = comparison.signature;
  return json;
}

}  // namespace rubric
