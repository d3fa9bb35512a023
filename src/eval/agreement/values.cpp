// The results as JSON and as a table for programs.

#include <utility>

#include "eval/agreement/agreement.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

Json with_interval(std::optional<double> value, const std::optional<stats::Interval>& interval) {
  return Json::Object{{"value", or_null(value)}, {"ci95", or_null(interval)}};
}

Json pairs_json(const PairAgreement& pairs) {
  Json json = with_interval(pairs.accuracy, pairs.interval);
  json["epsilon"] = pairs.accuracy ? Json(pairs.epsilon) : Json();
  return json;
}

// `of` nullptr: all are null.
Json threshold_json(const ThresholdAgreement* of) {
  if (of == nullptr) {
    return Json::Object{
        {"value", Json()}, {"ci95", Json()}, {"threshold", Json()}, {"half_thresholds", Json()}};
  }
  Json json = with_interval(of->value, of->interval);
  json["threshold"] = of->threshold;  // infinity is null
  const auto& halves = of->half_thresholds;
  json["half_thresholds"] = halves ? Json(Json::Array{(*halves)[0], (*halves)[1]}) : Json();
  return json;
}

void add_binary_values(const std::optional<BinaryAgreement>& binary, Json& json) {
  const BinaryAgreement values = binary.value_or(BinaryAgreement());
  json["roc_auc"] = with_interval(values.roc_auc, values.roc_auc_interval);
  json["accuracy"] = threshold_json(binary ? &values.accuracy : nullptr);
  json["f1"] = threshold_json(binary ? &values.f1 : nullptr);
  json["ece"] = Json::Object{{"value", or_null(values.calibration_error)}};
}

Json to_json(const Agreement& agreement, const GroupAgreement& group, bool resampled) {
  const std::vector<std::string>& metrics = agreement.metrics;
  Json json;
  json["n"] = group.n;
  json["questions"] = group.questions;
  json["pairs"] = Json::Object{{"n", group.pairs.n},
                               {"within_questions", group.pairs.is_within_questions},
                               {"tied", or_null(group.pairs.tied)}};
  if (agreement.labels) json["positives"] = group.positives;
  for (size_t i = 0; i < metrics.size(); ++i) {
    const MetricAgreement& metric = group.metrics[i];
    Json& of_metric = json["metrics"][metrics[i]];
    of_metric =
        Json::Object{{"pearson", with_interval(metric.correlations.pearson, metric.pearson)},
                     {"spearman", with_interval(metric.correlations.spearman, metric.spearman)},
                     {"kendall", with_interval(metric.correlations.kendall, metric.kendall)},
                     {"pairwise_accuracy", pairs_json(metric.pairs)}};
    if (agreement.labels) add_binary_values(metric.binary, of_metric);
    if (resampled) add_resampled(of_metric["pearson"], "value", metric.resampled);
  }
  json["tests"] = Json::Array();
  for (size_t a = 0; a < metrics.size(); ++a) {
    for (size_t b = a + 1; b < metrics.size(); ++b) {
      const MetricTest* const test =
          find_test(agreement.tests, tested_group(agreement, group), a, b);
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
                       {"p_is_least", test != nullptr && test->is_least},
                       {"p_holm_is_least", test != nullptr && test->is_corrected_least}});
    }
  }
  return json;
}

Json to_json(const SystemLevel& systems, const std::vector<std::string>& metrics) {
  Json json;
  for (size_t i = 0; i < systems.values.size(); ++i) {
    const SystemAgreement& values = systems.values[i];
    const SystemInterval& interval = systems.intervals[i];
    json["metrics"][metrics[i]] = Json::Object{
        {"pearson", with_interval(values.correlations.pearson, interval.pearson)},
        {"spearman", with_interval(values.correlations.spearman, interval.spearman)},
        {"kendall", with_interval(values.correlations.kendall, interval.kendall)},
        {"pairwise_accuracy", with_interval(values.pairwise_accuracy, interval.pairwise_accuracy)}};
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
    const GroupAgreement& group = agreement.groups[i];
    Json& place = group.name == kUnseen ? json["unseen"] : json["groups"][group.name];
    place = to_json(agreement, group, resampled);
  }
  for (size_t i = 0; i < agreement.seen.size(); ++i) {
    json["seen"][agreement.metrics[i]] =
        Json::Object{{"trained", agreement.seen[i].trained}, {"tuned", agreement.seen[i].tuned}};
  }
  if (agreement.labels) {
    json["labels"] = Json::Object{{"negative", agreement.labels->negative},
                                  {"positive", agreement.labels->positive}};
  }
  if (agreement.dev) {
    const DevRows& dev = *agreement.dev;
    json["dev"] = Json::Object{{"n", dev.n},
                               {"positives", dev.positives},
                               {"unlabelled", dev.unlabelled},
                               {"shared_rows", dev.shared}};
  }
  if (agreement.systems) json["systems"] = to_json(*agreement.systems, agreement.metrics);
  if (agreement.options.test == AgreementTest::permutation) {
    json["exchanges"] = agreement.permutations;
  }
  if (!agreement.signature.empty()) json["signature"] = agreement.signature;
  std::vector<std::string> notes = agreement_notes(agreement, agreement.groups);
  for (std::string& note : binary_notes(agreement)) notes.push_back(std::move(note));
  if (!agreement.tests.empty()) notes.push_back(correction_note(agreement.tests));
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

namespace {

// Rows of agreement_value_table().
class ValueRows {
 public:
  explicit ValueRows(Table& table) : table_(table) {}
  // `name` is what the column "figure" says.
  void add(const std::string& metric, const std::string& name, const std::string& group,
           std::optional<double> value, const std::optional<stats::Interval>& interval, int64_t n) {
    table_.rows.push_back(
        {metric, name, group, "", number(value), interval ? number(interval->low) : "",
         interval ? number(interval->high) : "", "", "", std::to_string(n), "", ""});
  }
  // On the scale of a metric, exactly: rounding could change how rows are called or tied.
  void add_score(const std::string& metric, const std::string& name, const std::string& group,
                 std::optional<double> score, int64_t n, const char* other = "") {
    table_.rows.push_back({metric, name, group, other, score ? format_exact(*score) : "", "", "",
                           "", "", std::to_string(n), "", ""});
  }
  void add(const std::string& first, const std::string& second, const MetricTest& test,
           const GroupAgreement& group) {
    table_.rows.push_back({first, "difference", group.name, second, number(test.difference), "", "",
                           p_number(test.p), p_number(test.corrected_p), std::to_string(group.n),
                           boolean(test.is_least), boolean(test.is_corrected_least)});
  }

 private:
  Table& table_;
};

// Thresholds of dev rows are marked so, and halves have none beside them.
void add_binary(const std::string& metric, const GroupAgreement& group,
                const std::optional<BinaryAgreement>& binary, bool has_dev, ValueRows& rows) {
  const BinaryAgreement values = binary.value_or(BinaryAgreement());
  const auto add_thresholds = [&](const std::string& name, const ThresholdAgreement& of) {
    rows.add(metric, name, group.name, of.value, of.interval, group.n);
    const auto& halves = of.half_thresholds;
    const auto add = [&](const char* ending, std::optional<double> threshold) {
      rows.add_score(metric, name + ending, group.name, threshold, group.n, has_dev ? "dev" : "");
    };
    add("_threshold", binary ? std::optional(of.threshold) : std::nullopt);
    if (has_dev) return;
    add("_threshold_first_half", halves ? std::optional((*halves)[0]) : std::nullopt);
    add("_threshold_second_half", halves ? std::optional((*halves)[1]) : std::nullopt);
  };
  rows.add(metric, "roc_auc", group.name, values.roc_auc, values.roc_auc_interval, group.n);
  add_thresholds("accuracy", values.accuracy);
  add_thresholds("f1", values.f1);
  rows.add(metric, "ece", group.name, values.calibration_error, {}, group.n);
}

void add_systems(const Agreement& agreement, ValueRows& rows) {
  const SystemLevel& systems = *agreement.systems;
  const std::string prefix = "system_";
  for (size_t i = 0; i < systems.values.size(); ++i) {
    const auto add = [&](const char* name, std::optional<double> value,
                         const std::optional<stats::Interval>& interval) {
      rows.add(agreement.metrics[i], prefix + name, "", value, interval,
               std::ssize(systems.systems));
    };
    const SystemAgreement& values = systems.values[i];
    const SystemInterval& interval = systems.intervals[i];
    add("pearson", values.correlations.pearson, interval.pearson);
    add("spearman", values.correlations.spearman, interval.spearman);
    add("kendall", values.correlations.kendall, interval.kendall);
    add("pairwise_accuracy", values.pairwise_accuracy, interval.pairwise_accuracy);
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

}  // namespace

Table agreement_value_table(const Agreement& agreement) {
  Table table;
  table.header = {"metric", "figure", "group",  "other", "value",      "low",
                  "high",   "p",      "p_holm", "n",     "p_is_least", "p_holm_is_least"};
  ValueRows rows(table);
  for (const GroupAgreement& group : agreement.groups) {
    for (size_t i = 0; i < agreement.metrics.size(); ++i) {
      const MetricAgreement& metric = group.metrics[i];
      const auto add = [&](const char* name, std::optional<double> value,
                           const std::optional<stats::Interval>& interval) {
        rows.add(agreement.metrics[i], name, group.name, value, interval, group.n);
      };
      add("pearson", metric.correlations.pearson, metric.pearson);
      add("spearman", metric.correlations.spearman, metric.spearman);
      add("kendall", metric.correlations.kendall, metric.kendall);
      add("pairwise_accuracy", metric.pairs.accuracy, metric.pairs.interval);
      rows.add_score(agreement.metrics[i], "pairwise_epsilon", group.name,
                     metric.pairs.accuracy ? std::optional(metric.pairs.epsilon) : std::nullopt,
                     group.n);
      if (agreement.labels) {
        add_binary(agreement.metrics[i], group, metric.binary, agreement.dev.has_value(), rows);
      }
    }
    for (const MetricTest& test : agreement.tests) {
      if (test.group != tested_group(agreement, group)) continue;
      rows.add(agreement.metrics[test.first], agreement.metrics[test.second], test, group);
    }
  }
  if (agreement.systems) add_systems(agreement, rows);
  return table;
}

}  // namespace rubric::eval
