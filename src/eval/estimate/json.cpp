#include <utility>

#include "eval/estimate/estimate.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

Json value_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return {};
  Json json;
  json["value"] = estimate->value;
  json["standard_error"] = estimate->standard_error;
  json["ci95"] = or_null(std::optional(estimate->interval));
  if (estimate->bootstrap) json["ci95_bootstrap"] = or_null(estimate->bootstrap);
  if (estimate->lambda) json["lambda"] = *estimate->lambda;
  if (estimate->effective_labels) json["effective_labels"] = *estimate->effective_labels;
  if (estimate->p_holm) json["p_holm"] = *estimate->p_holm;
  return json;
}

Json values_json(const std::vector<std::string>& names,
                 const std::vector<std::optional<Estimate>>& estimates) {
  Json json;
  for (size_t i = 0; i < names.size(); ++i) json[names[i]] = value_json(estimates[i]);
  return json;
}

Json system_json(const EstimateResult& result, size_t s, const SystemEstimates& system) {
  Json json;
  if (!result.systems[s].empty()) json["system"] = result.systems[s];
  json["n"] = system.n;
  json["questions"] = system.questions;
  json["labels"] = system.labels;
  json["labelled_questions"] = system.labelled_questions;
  json["labels_alone"] = value_json(system.labels_alone);
  for (size_t m = 0; m < result.metrics.size(); ++m) {
    json["metric_alone"][result.metrics[m]] = or_null(system.metric_alone[m]);
  }
  json["with"] = values_json(result.predictors, system.with);
  return json;
}

void add_group(const EstimateResult& result, const GroupEstimates& group, Json& json) {
  Json::Array systems, differences;
  for (size_t s = 0; s < group.systems.size(); ++s) {
    systems.push_back(system_json(result, s, group.systems[s]));
  }
  for (const EstimatedDifference& pair : group.differences) {
    differences.push_back(Json::Object{{"first", result.systems[pair.first]},
                                       {"second", result.systems[pair.second]},
                                       {"labels_alone", value_json(pair.labels_alone)},
                                       {"with", values_json(result.predictors, pair.with)}});
  }
  json["systems"] = std::move(systems);
  if (!differences.empty()) json["differences"] = std::move(differences);
  for (size_t m = 0; m < result.metrics.size(); ++m) {
    const EstimatedCorrelation& correlation = group.correlations[m];
    json["correlations"][result.metrics[m]] =
        Json::Object{{"labels_alone", value_json(correlation.labels_alone)},
                     {"corrected", value_json(correlation.corrected)}};
  }
}

}  // namespace

Json to_json(const EstimateResult& result) {
  Json json;
  json["human"] = result.human;
  add_group(result, result.groups.front(), json);
  for (size_t i = 1; i < result.groups.size(); ++i) {
    add_group(result, result.groups[i], json["groups"][result.groups[i].name]);
  }
  if (!result.signature.empty()) json["signature"] = result.signature;
  Json::Array notes(result.warnings.begin(), result.warnings.end());
  for (std::string& note : estimate_notes(result, result.groups))
    notes.emplace_back(std::move(note));
  if (!notes.empty()) json["notes"] = std::move(notes);
  return json;
}

}  // namespace rubric::eval
