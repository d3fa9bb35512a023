#include <utility>

#include "core/error.h"
#include "eval/compare/compare.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

void add_group(const SystemComparison& comparison, const GroupComparison& group, size_t metric,
               Json& json) {
  json["n"] = group.n;
  json["questions"] = group.questions;
  const MetricComparison& results = group.metrics[metric];
  for (size_t i = 0; i < comparison.systems.size(); ++i) {
    json["systems"][comparison.systems[i]] =
        Json::Object{{"mean", results.means[i].mean}, {"ci95", or_null(results.means[i].interval)}};
  }
  Json::Array pairs;
  for (const Comparison& pair : results.comparisons) {
    pairs.push_back(
        Json::Object{{"first", comparison.systems[pair.first]},
                     {"second", comparison.systems[pair.second]},
                     {"difference", pair.difference},
                     {"ci95", or_null(pair.interval)},
                     {"p_bootstrap", pair.bootstrap_p},
                     {"p_bootstrap_holm", pair.bootstrap_corrected},
                     {"p_permutation", pair.permutation_p},
                     {"p_permutation_holm", pair.permutation_corrected},
                     {"p_bootstrap_is_least", pair.bootstrap_is_least},
                     {"p_bootstrap_holm_is_least", pair.bootstrap_corrected_is_least},
                     {"p_permutation_is_least", pair.permutation_is_least},
                     {"p_permutation_holm_is_least", pair.permutation_corrected_is_least},
                     {"wins", pair.wins},
                     {"ties", pair.ties},
                     {"losses", pair.losses}});
  }
  json["comparisons"] = std::move(pairs);
}

void add_metric(const SystemComparison& comparison, size_t metric, Json& json) {
  add_group(comparison, comparison.groups.front(), metric, json);
  for (size_t i = 1; i < comparison.groups.size(); ++i) {
    const GroupComparison& group = comparison.groups[i];
    add_group(comparison, group, metric, json["groups"][group.name]);
  }
}

Json row_json(const DifferingRow& row) {
  Json json;
  for (const auto& [name, text] : {std::pair("group", &row.group),
                                   {"constituent", &row.constituent},
                                   {"id", &row.id},
                                   {"question", &row.question},
                                   {"reference", &row.reference},
                                   {"first_candidate", &row.first_candidate},
                                   {"second_candidate", &row.second_candidate}}) {
    if (!text->empty()) json[name] = *text;
  }
  json["first_score"] = row.first_score;
  json["second_score"] = row.second_score;
  return json;
}

Json differing_json(const SystemComparison& comparison) {
  Json::Array pairs;
  for (const DifferingRows& pair : comparison.differing) {
    Json::Array rows;
    for (const DifferingRow& row : pair.rows) rows.push_back(row_json(row));
    pairs.push_back(Json::Object{{"metric", comparison.metrics.front()},
                                 {"first", comparison.systems[pair.first]},
                                 {"second", comparison.systems[pair.second]},
                                 {"rows", std::move(rows)}});
  }
  return pairs;
}

}  // namespace

Json to_json(const SystemComparison& comparison) {
  Json json;
  if (comparison.metrics.size() == 1) {
    json["metric"] = comparison.metrics.front();
    add_metric(comparison, 0, json);
  } else {
    for (size_t m = 0; m < comparison.metrics.size(); ++m) {
      add_metric(comparison, m, json["metrics"][comparison.metrics[m]]);
    }
  }
  if (!comparison.differing.empty()) json["differing"] = differing_json(comparison);
  json["exchanges"] = comparison.permutations;
  if (!comparison.signature.empty()) json["signature"] = comparison.signature;
  if (!comparison.notes.empty()) json["note"] = join(comparison.notes, "; ");
  return json;
}

}  // namespace rubric::eval
