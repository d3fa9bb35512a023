#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "eval/agreement/agreement.h"
#include "eval/report/table.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

// Adds measurements of a group, of all its rows or of a metric.
Adder adder(const GroupAgreement& group, const std::string& metric, std::vector<Measurement>& to) {
  return {to,
          {.metric = metric, .group = group.name, .subset = group.is_unseen ? kUnseen : ""},
          group.n};
}

// Thresholds of halves are there unless the dev rows chose one.
void add_thresholds(const Agreement& agreement, const std::string& name,
                    const ThresholdAgreement* of, const Adder& add) {
  const auto add_threshold = [&](const char* which, double threshold, int digits) {
    add(name + "_threshold" + which, of ? std::optional(threshold) : std::nullopt).digits = digits;
  };
  const ThresholdAgreement thresholds = of != nullptr ? *of : ThresholdAgreement();
  add_threshold("", thresholds.threshold, thresholds.digits);
  if (agreement.dev) return;
  const auto [first, second] = thresholds.half_thresholds.value_or(std::array<double, 2>());
  add_threshold("_first_half", first, thresholds.half_digits[0]);
  add_threshold("_second_half", second, thresholds.half_digits[1]);
}

void add_metric(const Agreement& agreement, const GroupAgreement& group, size_t i, bool resampled,
                std::vector<Measurement>& measurements) {
  const MetricAgreement& of = group.metrics[i];
  Adder add = adder(group, agreement.metrics[i], measurements);
  const auto add_statistic = [&](RowStatistic which, const std::string& why) -> Measurement& {
    add.why_missing = why;
    return add(kRowStatistics[which], of.values[which], of.intervals[which]);
  };
  const std::string why = why_undefined(group);
  Measurement& pearson = add_statistic(kPearson, why);
  if (resampled) pearson.resampled = of.resampled;
  add_statistic(kSpearman, why);
  add_statistic(kKendall, why);
  add_statistic(kPairwise, why_no_pairs(group));
  add("pairwise_epsilon", of.values[kPairwise] ? std::optional(of.epsilon) : std::nullopt);
  if (!agreement.labels) return;
  add_statistic(kRocAuc, why);
  const std::string why_binary = !of.binary      ? why
                                 : agreement.dev ? "no row is positive"
                                                 : "a half of the questions has one label";
  add_statistic(kBinaryAccuracy, why_binary);
  add_thresholds(agreement, "accuracy", of.binary ? &of.binary->accuracy : nullptr, add);
  add_statistic(kBinaryF1, why_binary);
  add_thresholds(agreement, "f1", of.binary ? &of.binary->f1 : nullptr, add);
  add("ece", of.binary ? of.binary->calibration_error : std::nullopt);
}

// Of every two metrics, in their order.
void add_tests(const Agreement& agreement, const GroupAgreement& group,
               std::vector<Measurement>& measurements) {
  constexpr int64_t kFewest = 4;
  auto test = group.tests.begin();
  for (size_t a = 0; a < agreement.metrics.size(); ++a) {
    for (size_t b = a + 1; b < agreement.metrics.size(); ++b, ++test) {
      Adder add = adder(group, agreement.metrics[a], measurements);
      add.keys.against = agreement.metrics[b];
      add.keys.method = method_of(agreement);
      const bool has_both = group.metrics[a].values[kPearson] && group.metrics[b].values[kPearson];
      add.why_missing = !has_both           ? "a correlation is undefined"
                        : group.n < kFewest ? "fewer than four rows"
                                            : "one metric is a linear function of the other";
      if (!*test) {
        add("difference", {});
        continue;
      }
      Measurement& difference = add("difference", (*test)->difference);
      difference.p = (*test)->p;
      difference.p_is_bound = (*test)->is_least;
      if (agreement.options.test == AgreementTest::williams) {
        add("test_statistic", (*test)->statistic);
      }
    }
  }
}

void add_group(const Agreement& agreement, const GroupAgreement& group,
               const std::vector<size_t>& order, bool resampled,
               std::vector<Measurement>& measurements) {
  Adder add = adder(group, "", measurements);
  add.why_missing = "no pair of rows";
  add("questions", static_cast<double>(group.questions));
  add("pairs", static_cast<double>(group.pairs.n));
  add("pairs_tied", group.pairs.tied);
  if (agreement.labels) add("positives", static_cast<double>(group.positives));
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
    Adder{measurements, {.subset = "dev"}}.counts({{"rows", dev.n},
                                                   {"positives", dev.positives},
                                                   {"unlabelled", dev.unlabelled},
                                                   {"shared_rows", dev.shared}});
  }
  for (size_t i = 0; i < agreement.seen.size(); ++i) {
    Adder{measurements, {.metric = agreement.metrics[i]}}.counts(
        {{"seen_trained", agreement.seen[i].trained}, {"seen_tuned", agreement.seen[i].tuned}});
  }
}

// Layouts.

Layout layout_of(const std::string& name, const std::map<std::string, std::string>& texts = {}) {
  return read_layout("agreement", name, texts);
}

// A row for each group, with a statistic of each metric.
void add_group_layouts(const Agreement& agreement, std::vector<Layout>& layouts) {
  const auto add = [&](const std::string& title, const std::string& statistic,
                       const std::string& known, const std::string& known_statistic,
                       const std::string& form) {
    layouts.push_back(layout_of("by_group", {{"title", title},
                                             {"statistic", statistic},
                                             {"known", known},
                                             {"known_statistic", known_statistic},
                                             {"known_form", form}}));
  };
  add("Pearson's r", "pearson", "", "", "");
  add("Pairwise accuracy", "pairwise_accuracy", "all tied", "pairs_tied", "");
  if (!agreement.labels) return;
  const std::string at_dev = agreement.dev ? " at the dev threshold" : "";
  const std::pair<std::string, const char*> of_labels[] = {{"ROC AUC", "roc_auc"},
                                                           {"Accuracy" + at_dev, "accuracy"},
                                                           {"F1" + at_dev, "f1"},
                                                           {"Expected calibration error", "ece"}};
  for (const auto& [title, statistic] : of_labels) {
    add(title, statistic, "positive", "positives", "count");
  }
}

// A matrix of metrics.
Layout tests_layout(const Agreement& agreement, const std::string& correction,
                    std::span<const Measurement> measurements) {
  const std::string method = method_of(agreement);
  const std::string drawn = std::to_string(agreement.permutations) + " drawn permutations";
  Layout layout =
      layout_of("tests", {{"test", method == "williams" ? "Williams' test"
                                                        : "paired permutation test, " + drawn +
                                                              ", or all of at most 20 questions"},
                          {"method", method},
                          {"correction", correction}});
  if (std::ranges::any_of(measurements, [](const Measurement& one) {
        return shows_bound(one.p_holm, one.p_holm_is_bound);
      })) {
    layout.notes.push_back("≤: an upper bound, the least p of " + drawn);
  }
  return layout;
}

}  // namespace

const char* method_of(const Agreement& agreement) {
  return agreement.options.test == AgreementTest::williams ? "williams" : "permutation";
}

Result agreement_result(const Agreement& agreement, std::shared_ptr<const data::ScoredRows> rows,
                        bool resampled) {
  const std::vector<size_t> order = by_agreement(agreement.groups.front());
  const std::map<std::string, std::string> over = {
      {"rows", counted(agreement.groups.front().n, "row")}};
  Result result{.title = "Agreement with human labels",
                .tables = {layout_of("correlations", over)}};
  for (const GroupAgreement& group : agreement.groups) {
    add_group(agreement, group, order, resampled, result.measurements);
  }
  add_counts(agreement, result.measurements);
  result.measurements.insert(result.measurements.end(), agreement.of_systems.begin(),
                             agreement.of_systems.end());
  auto tests = add_holm(result.measurements);
  result.notes = agreement_notes(agreement, result.measurements);
  if (agreement.labels) {
    result.tables.push_back(layout_of(agreement.dev ? "binary_with_dev" : "binary", over));
    result.tables.back().notes = binary_notes(agreement);
  }
  add_group_layouts(agreement, result.tables);
  if (!tests.empty()) {
    const std::string method = method_of(agreement);
    const std::string correction = correction_note(tests[{method, ""}], tests[{method, kUnseen}]);
    result.tables.push_back(tests_layout(agreement, correction, result.measurements));
  }
  if (!agreement.systems.empty()) {
    result.tables.push_back(
        layout_of("system_level", {{"systems", counted(std::ssize(agreement.systems), "system")}}));
    result.tables.push_back(layout_of("systems"));
  }
  add_agreement_plots(agreement, std::move(rows), result);
  return result;
}

}  // namespace rubric::eval
