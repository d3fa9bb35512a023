#include <limits>
#include <utility>

#include "core/error.h"
#include "eval/agreement/agreement.h"
#include "eval/report/table.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

constexpr const char* kAllRows = "all rows";

// Adds measurements with the same keys and number of rows.
struct Adder {
  Keys keys;
  int64_t n;
  std::vector<Measurement>& to;

  Measurement& add(const std::string& statistic, std::optional<double> value,
                   const std::optional<Interval>& interval = {},
                   const std::string& why_missing = "") const {
    return add_value({.keys = keys, .interval = interval, .n = n}, statistic, value, why_missing,
                     to);
  }
};

Adder adder(const GroupAgreement& group, const std::string& metric, std::vector<Measurement>& to) {
  return {{.metric = metric, .group = group.name, .subset = group.is_unseen ? kUnseen : ""},
          group.n,
          to};
}

// Thresholds of halves are there unless the dev rows chose one.
void add_binary(const Agreement& agreement, const GroupAgreement& group,
                const std::optional<BinaryAgreement>& binary, const Adder& metric) {
  const BinaryAgreement values = binary.value_or(BinaryAgreement());
  const std::string why = !binary         ? why_undefined(group)
                          : agreement.dev ? "no row is positive"
                                          : "a half of the questions has one label";
  metric.add("roc_auc", values.roc_auc, values.roc_auc_interval, why_undefined(group));
  const auto add = [&](const std::string& name, const ThresholdAgreement& of) {
    metric.add(name, of.value, of.interval, why);
    const auto add_threshold = [&](const char* which, double threshold, int digits) {
      Measurement& one = metric.add(name + "_threshold" + which,
                                    binary ? std::optional(threshold) : std::nullopt, {}, why);
      one.digits = digits;
    };
    add_threshold("", of.threshold, of.digits);
    if (agreement.dev) return;
    const auto [first, second] = of.half_thresholds.value_or(std::array<double, 2>());
    add_threshold("_first_half", first, of.half_digits[0]);
    add_threshold("_second_half", second, of.half_digits[1]);
  };
  add("accuracy", values.accuracy);
  add("f1", values.f1);
  metric.add("ece", values.calibration_error, {}, why);
}

void add_metric(const Agreement& agreement, const GroupAgreement& group, size_t i, bool resampled,
                std::vector<Measurement>& measurements) {
  const MetricAgreement& of = group.metrics[i];
  const Adder metric = adder(group, agreement.metrics[i], measurements);
  const std::string why = why_undefined(group);
  Measurement& pearson = metric.add("pearson", of.correlations.pearson, of.pearson, why);
  if (resampled) pearson.resampled = of.resampled;
  metric.add("spearman", of.correlations.spearman, of.spearman, why);
  metric.add("kendall", of.correlations.kendall, of.kendall, why);
  const std::string why_pairs = why_no_pairs(group);
  metric.add("pairwise_accuracy", of.pairs.accuracy, of.pairs.interval, why_pairs);
  metric.add("pairwise_epsilon", of.pairs.accuracy ? std::optional(of.pairs.epsilon) : std::nullopt,
             {}, why_pairs);
  if (agreement.labels) add_binary(agreement, group, of.binary, metric);
}

// Of every two metrics, in their order.
void add_tests(const Agreement& agreement, const GroupAgreement& group,
               std::vector<Measurement>& measurements) {
  constexpr int64_t kFewest = 4;
  auto test = group.tests.begin();
  for (size_t a = 0; a < agreement.metrics.size(); ++a) {
    for (size_t b = a + 1; b < agreement.metrics.size(); ++b) {
      Adder pair = adder(group, agreement.metrics[a], measurements);
      pair.keys.against = agreement.metrics[b];
      pair.keys.method = method_of(agreement);
      if (test == group.tests.end() || test->first != a || test->second != b) {
        const bool has_both =
            group.metrics[a].correlations.pearson && group.metrics[b].correlations.pearson;
        pair.add("difference", {}, {},
                 !has_both           ? "a correlation is undefined"
                 : group.n < kFewest ? "fewer than four rows"
                                     : "one metric is a linear function of the other");
        continue;
      }
      Measurement& difference = pair.add("difference", test->difference);
      difference.p = test->p;
      difference.p_is_bound = test->is_least;
      if (agreement.options.test == AgreementTest::williams) {
        pair.add("test_statistic", test->statistic);
      }
      ++test;
    }
  }
}

void add_group(const Agreement& agreement, const GroupAgreement& group,
               const std::vector<size_t>& order, bool resampled,
               std::vector<Measurement>& measurements) {
  const Adder rows = adder(group, "", measurements);
  rows.add("questions", static_cast<double>(group.questions));
  rows.add("pairs", static_cast<double>(group.pairs.n));
  rows.add("pairs_tied", group.pairs.tied, {}, "no pair of rows");
  if (agreement.labels) rows.add("positives", static_cast<double>(group.positives));
  for (const size_t i : order) add_metric(agreement, group, i, resampled, measurements);
  add_tests(agreement, group, measurements);
}

// What is known of labels, dev rows and models.
void add_counts(const Agreement& agreement, std::vector<Measurement>& measurements) {
  if (agreement.labels) {
    measurements.push_back({.statistic = "negative_label", .value = agreement.labels->negative});
    measurements.push_back({.statistic = "positive_label", .value = agreement.labels->positive});
  }
  if (agreement.dev) {
    const DevRows& dev = *agreement.dev;
    for (const auto& [statistic, count] : {std::pair("rows", dev.n),
                                           {"positives", dev.positives},
                                           {"unlabelled", dev.unlabelled},
                                           {"shared_rows", dev.shared}}) {
      measurements.push_back(count_of({.subset = "dev"}, statistic, count));
    }
  }
  for (size_t i = 0; i < agreement.seen.size(); ++i) {
    const Keys metric{.metric = agreement.metrics[i]};
    measurements.push_back(count_of(metric, "seen_trained", agreement.seen[i].trained));
    measurements.push_back(count_of(metric, "seen_tuned", agreement.seen[i].tuned));
  }
}

void add_systems(const Agreement& agreement, const std::vector<size_t>& order,
                 std::vector<Measurement>& measurements) {
  const SystemLevel& systems = *agreement.systems;
  for (const size_t i : order) {
    if (systems.values.empty()) break;
    const Adder metric{{.metric = agreement.metrics[i]}, std::ssize(systems.systems), measurements};
    const SystemAgreement& values = systems.values[i];
    const SystemInterval& intervals = systems.intervals[i];
    const std::string why =
        systems.systems.size() < 3 ? "fewer than three systems" : "all means are the same";
    metric.add("system_pearson", values.correlations.pearson, intervals.pearson, why);
    metric.add("system_spearman", values.correlations.spearman, intervals.spearman, why);
    metric.add("system_kendall", values.correlations.kendall, intervals.kendall, why);
    metric.add("system_pairwise_accuracy", values.pairwise_accuracy, intervals.pairwise_accuracy,
               "all human means are the same");
  }
  for (size_t system = 0; system < systems.systems.size(); ++system) {
    Adder of{{.system = systems.systems[system]}, systems.n[system], measurements};
    of.add("mean_label", systems.human[system]);
    for (const size_t i : order) {
      of.keys.metric = agreement.metrics[i];
      of.add("mean", systems.means[i][system]);
    }
  }
}

// Layouts.

std::vector<Column> correlation_columns(const std::string& prefix) {
  return {{"Pearson's r", {prefix + "pearson"}},
          {"Spearman's rho", {prefix + "spearman"}},
          {"Kendall's tau-b", {prefix + "kendall"}}};
}

// All rows and, where models have seen others, those with unseen questions.
Layout rows_layout(const std::string& title, const GroupAgreement& all) {
  return {.title = title + " over " + counted(all.n, "row"),
          .rows = {{"rows", &Keys::subset, kAllRows}, {"metric", &Keys::metric}}};
}

Layout correlations_layout(const GroupAgreement& all) {
  Layout layout = rows_layout("Agreement with human labels", all);
  layout.columns = correlation_columns("");
  layout.columns.push_back({"pairwise accuracy", {"pairwise_accuracy"}});
  layout.columns.push_back(
      {.title = "epsilon", .statistics = {"pairwise_epsilon"}, .form = NumberForm::significant});
  return layout;
}

Layout binary_layout(const Agreement& agreement) {
  Layout layout = rows_layout("Agreement with the two labels", agreement.groups.front());
  const auto threshold = [&](const std::string& title, const std::string& of) {
    const std::string statistic = of + "_threshold";
    Column column{.title = title + (agreement.dev ? "dev threshold" : "threshold"),
                  .statistics = {statistic},
                  .part = CellPart::value,
                  .form = NumberForm::significant};
    if (!agreement.dev) {
      column.statistics.push_back(statistic + "_first_half");
      column.statistics.push_back(statistic + "_second_half");
    }
    return column;
  };
  layout.columns = {{"ROC AUC", {"roc_auc"}}, {"accuracy", {"accuracy"}}, threshold("", "accuracy"),
                    {"F1", {"f1"}},           threshold("F1 ", "f1"),     {"ECE", {"ece"}}};
  layout.notes = binary_notes(agreement);
  return layout;
}

// A row for each group, with a statistic of each metric.
void add_group_layouts(const Agreement& agreement, std::vector<Layout>& layouts) {
  const auto add = [&](const std::string& title, const std::string& statistic,
                       std::optional<Column> column) {
    Layout layout{.title = title + " by group", .rows = {{"group", &Keys::group}}};
    layout.columns = {{.title = "n", .statistics = {"questions"}, .part = CellPart::n}};
    if (column) layout.columns.push_back(std::move(*column));
    layout.columns.push_back({.statistics = {statistic}, .across = &Keys::metric});
    layouts.push_back(std::move(layout));
  };
  add("Pearson's r", "pearson", {});
  add("Pairwise accuracy", "pairwise_accuracy", Column{"all tied", {"pairs_tied"}});
  if (!agreement.labels) return;
  const Column positive = counts_column("positive", "positives");
  const std::string at_dev = agreement.dev ? " at the dev threshold" : "";
  add("ROC AUC", "roc_auc", positive);
  add("Accuracy" + at_dev, "accuracy", positive);
  add("F1" + at_dev, "f1", positive);
  add("Expected calibration error", "ece", positive);
}

// A matrix of metrics.
Layout tests_layout(const Agreement& agreement, const std::string& note,
                    std::span<const Measurement> measurements) {
  const std::string method = method_of(agreement);
  const std::string drawn = std::to_string(agreement.permutations) + " drawn permutations";
  Layout layout{.title = "p of a difference between two metrics' r (" +
                         (method == "williams" ? "Williams' test)"
                                               : "paired permutation test, " + drawn +
                                                     ", or all of at most 20 questions)"),
                .rows = {{"group", &Keys::group, "all groups"},
                         {"rows", &Keys::subset, kAllRows},
                         {"metric", &Keys::metric}},
                .columns = {{.statistics = {"difference"},
                             .across = &Keys::against,
                             .part = CellPart::p_holm}},
                .keys = {.method = method},
                .notes = {note},
                .is_folded = true};
  if (std::ranges::any_of(measurements, [](const Measurement& one) {
        return shows_bound(one.p_holm, one.p_holm_is_bound);
      })) {
    layout.notes.push_back("≤: an upper bound, the least p of " + drawn);
  }
  return layout;
}

void add_system_layouts(const SystemLevel& systems, std::vector<Layout>& layouts) {
  Layout agreement{
      .title = "Agreement over the means of " + counted(std::ssize(systems.systems), "system"),
      .rows = {{"metric", &Keys::metric}},
      .columns = correlation_columns("system_")};
  agreement.columns.push_back({"pairs ordered as by humans", {"system_pairwise_accuracy"}});
  layouts.push_back(std::move(agreement));
  layouts.push_back({.title = "Means by system",
                     .rows = {{"system", &Keys::system}},
                     .columns = {{.title = "n", .statistics = {"mean_label"}, .part = CellPart::n},
                                 {"human", {"mean_label"}},
                                 {.statistics = {"mean"}, .across = &Keys::metric}}});
}

}  // namespace

const char* method_of(const Agreement& agreement) {
  return agreement.options.test == AgreementTest::williams ? "williams" : "permutation";
}

Result agreement_result(const Agreement& agreement, std::shared_ptr<const data::ScoredRows> rows,
                        bool resampled) {
  const GroupAgreement& all = agreement.groups.front();
  const std::vector<size_t> order = by_agreement(all);
  Result result{.title = "Agreement with human labels", .tables = {correlations_layout(all)}};
  for (const GroupAgreement& group : agreement.groups) {
    add_group(agreement, group, order, resampled, result.measurements);
  }
  add_counts(agreement, result.measurements);
  if (agreement.systems) add_systems(agreement, order, result.measurements);
  auto tests = add_holm(result.measurements);
  result.notes = agreement_notes(agreement, result.measurements);
  if (agreement.labels) result.tables.push_back(binary_layout(agreement));
  add_group_layouts(agreement, result.tables);
  if (!tests.empty()) {
    const std::string method = method_of(agreement);
    const std::string note = correction_note(tests[{method, ""}], tests[{method, kUnseen}]);
    result.tables.push_back(tests_layout(agreement, note, result.measurements));
  }
  if (agreement.systems) add_system_layouts(*agreement.systems, result.tables);
  add_agreement_plots(agreement, std::move(rows), result);
  return result;
}

}  // namespace rubric::eval
