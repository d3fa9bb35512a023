#include <utility>

#include "eval/agreement/output.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

Json figure(std::optional<double> value, const std::optional<stats::Interval>& interval) {
  return Json::Object{{"value", or_null(value)}, {"ci95", or_null(interval)}};
}

Json to_json(const Agreement& agreement, const GroupAgreement& group, bool resampled) {
  const std::vector<std::string>& metrics = agreement.metrics;
  Json json;
  json["n"] = group.n;
  json["questions"] = group.questions;
  for (size_t i = 0; i < metrics.size(); ++i) {
    const MetricAgreement& metric = group.metrics[i];
    json["metrics"][metrics[i]] =
        Json::Object{{"pearson", figure(metric.correlations.pearson, metric.pearson)},
                     {"spearman", figure(metric.correlations.spearman, metric.spearman)},
                     {"kendall", figure(metric.correlations.kendall, metric.kendall)}};
    if (resampled) {
      add_resampled(json["metrics"][metrics[i]]["pearson"], "value", metric.resampled);
    }
  }
  json["tests"] = Json::Array();
  for (size_t a = 0; a < metrics.size(); ++a) {
    for (size_t b = a + 1; b < metrics.size(); ++b) {
      const MetricTest* const test = find_test(agreement.tests, group.name, a, b);
      const auto or_none = [&](double MetricTest::*value) {
        return test == nullptr ? Json() : Json(test->*value);
      };
      json["tests"].array().push_back(
          Json::Object{{"first", metrics[a]},
                       {"second", metrics[b]},
                       {"difference", or_none(&MetricTest::difference)},
                       {"statistic", or_none(&MetricTest::statistic)},
                       {"p", or_none(&MetricTest::p)},
                       {"p_holm", or_none(&MetricTest::corrected_p)},
                       {"p_is_least", test != nullptr && test->is_least}});
    }
  }
  return json;
}

Json to_json(const SystemLevel& systems, const std::vector<std::string>& metrics) {
  Json json;
  for (size_t i = 0; i < systems.figures.size(); ++i) {
    const SystemAgreement& figures = systems.figures[i];
    const SystemInterval& interval = systems.intervals[i];
    json["metrics"][metrics[i]] = Json::Object{
        {"pearson", figure(figures.correlations.pearson, interval.pearson)},
        {"spearman", figure(figures.correlations.spearman, interval.spearman)},
        {"kendall", figure(figures.correlations.kendall, interval.kendall)},
        {"pairwise_accuracy", figure(figures.pairwise_accuracy, interval.pairwise_accuracy)}};
  }
  for (size_t system = 0; system < systems.systems.size(); ++system) {
    Json& of_system = json["systems"][systems.systems[system]];
    of_system["n"] = systems.n[system];
    of_system["human"] = systems.human[system];
    for (size_t i = 0; i < metrics.size(); ++i) {
      of_system["means"][metrics[i]] = systems.means[i][system];
    }
  }
  return json;
}

}  // namespace

Json to_json(const Agreement& agreement, bool resampled) {
  Json json;
  json["all"] = to_json(agreement, agreement.groups.front(), resampled);
  for (size_t i = 1; i < agreement.groups.size(); ++i) {
    json["groups"][agreement.groups[i].name] = to_json(agreement, agreement.groups[i], resampled);
  }
  if (agreement.systems) json["systems"] = to_json(*agreement.systems, agreement.metrics);
  if (!agreement.signature.empty()) json["signature"] = agreement.signature;
  std::vector<std::string> notes = agreement_notes(agreement);
  if (!agreement.tests.empty()) notes.push_back(correction_note(agreement.tests));
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

}  // namespace rubric::eval
