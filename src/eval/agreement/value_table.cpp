#include "eval/agreement/output.h"
#include "eval/report/table.h"

namespace rubric::eval {
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
                 std::optional<double> score, int64_t n) {
    table_.rows.push_back({metric, name, group, "", score ? format_exact(*score) : "", "", "", "",
                           "", std::to_string(n), "", ""});
  }
  void add(const std::string& first, const std::string& second, const MetricTest& test, int64_t n) {
    table_.rows.push_back({first, "difference", test.group, second, number(test.difference), "", "",
                           p_number(test.p), p_number(test.corrected_p), std::to_string(n),
                           boolean(test.is_least), boolean(test.is_corrected_least)});
  }

 private:
  Table& table_;
};

void add_binary(const std::string& metric, const GroupAgreement& group,
                const std::optional<BinaryAgreement>& binary, ValueRows& rows) {
  const BinaryAgreement values = binary.value_or(BinaryAgreement());
  const auto add_thresholds = [&](const std::string& name, const ThresholdAgreement& of) {
    rows.add(metric, name, group.name, of.value, of.interval, group.n);
    const auto add = [&](const char* ending, double threshold) {
      rows.add_score(metric, name + ending, group.name,
                     binary ? std::optional(threshold) : std::nullopt, group.n);
    };
    add("_threshold", of.threshold);
    add("_threshold_first_half", of.half_thresholds[0]);
    add("_threshold_second_half", of.half_thresholds[1]);
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
      if (agreement.labels) add_binary(agreement.metrics[i], group, metric.binary, rows);
    }
    for (const MetricTest& test : agreement.tests) {
      if (test.group != group.name) continue;
      rows.add(agreement.metrics[test.first], agreement.metrics[test.second], test, group.n);
    }
  }
  if (agreement.systems) add_systems(agreement, rows);
  return table;
}

}  // namespace rubric::eval
