#include <algorithm>
#include <utility>

#include "core/error.h"
#include "eval/mocha/mocha.h"
#include "eval/result/render.h"
#include "stats/agreement.h"

namespace rubric::eval {
namespace {

AnnotatorAgreement annotator_agreement(std::span<const data::Answer> answers, const Group& group) {
  std::vector<std::vector<double>> units;
  for (const size_t i : group.members) {
    if (answers[i].ratings.size() >= 2) units.push_back(answers[i].ratings);
  }
  return {group.name, stats::krippendorff_alpha(units), std::ssize(units)};
}

// Whether a metric orders each of the group's pairs correctly.
std::vector<bool> correct_pairs(const Given& better, const Given& worse, const Group& group) {
  std::vector<bool> correct;
  for (const size_t i : group.members)
    correct.push_back(better[i] && worse[i] && *better[i] > *worse[i]);
  return correct;
}

std::vector<MetricTest> test_pairs(std::span<const data::AnswerPair> pairs,
                                   std::span<const MochaPredictions> metrics,
                                   const std::set<std::string>& constituents) {
  const std::vector<data::InstanceKey> keys = keys_of(pairs);
  std::vector<size_t> scored;  // metrics
  std::vector<Given> better, worse;
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (!metrics[i].pairs) continue;
    scored.push_back(i);
    better.push_back(
        data::match_predictions(keys, metrics[i].pairs->better, metrics[i].metric).values);
    worse.push_back(
        data::match_predictions(keys, metrics[i].pairs->worse, metrics[i].metric).values);
  }
  std::vector<MetricTest> tests;
  for (const Group& group : group_by(pairs.size(), [&](size_t i) { return keys[i].first; })) {
    if (!is_chosen(constituents, group.name)) continue;
    std::vector<std::vector<bool>> orders;
    for (size_t i = 0; i < scored.size(); ++i) {
      orders.push_back(correct_pairs(better[i], worse[i], group));
    }
    for (MetricTest test : test_accuracies(group.name, orders)) {
      test.first = scored[test.first];
      test.second = scored[test.second];
      tests.push_back(std::move(test));
    }
  }
  return tests;
}

// For each constituent "drop: f1 has the highest Pearson's r; …".
std::vector<std::string> best_notes(const Result& result, const std::string& statistic,
                                    const std::string& method) {
  std::vector<const Measurement*> values;
  for (const Measurement& one : result.measurements) {
    const bool is_of_constituent = !one.keys.group.empty() && one.keys.source.empty();
    if (one.statistic == statistic && one.value && is_of_constituent) values.push_back(&one);
  }
  std::vector<std::string> notes;
  for (const Group& group :
       group_by(values.size(), [&](size_t i) { return values[i]->keys.group; })) {
    if (group.members.size() < 2) continue;
    std::vector<std::string> metrics;
    for (const size_t i : group.members) metrics.push_back(values[i]->keys.metric);
    const size_t highest =
        std::ranges::max(group.members, {}, [&](size_t i) { return *values[i]->value; });
    notes.push_back(group.name + ": " +
                    best_note(result.measurements, {.group = group.name, .method = method},
                              &Keys::metric, metrics, {values[highest]->keys.metric},
                              statistic == "pearson" ? "Pearson's r" : "accuracy"));
  }
  return notes;
}

void add_measurements(const std::vector<std::string>& metrics, std::span<const MetricTest> tests,
                      const std::string& method, Result& result) {
  for (const MetricTest& test : tests) {
    const Keys keys{.metric = metrics[test.first],
                    .against = metrics[test.second],
                    .group = test.group,
                    .method = method};
    result.measurements.push_back(
        {.keys = keys, .statistic = "difference", .value = test.difference, .p = test.p});
    result.measurements.push_back(
        {.keys = keys, .statistic = "test_statistic", .value = test.statistic});
  }
}

Layout test_layout(const std::string& title, const std::string& method) {
  return {
      .title = title + ", p of the difference between two metrics",
      .rows = {{"metric", &Keys::metric}, {"against", &Keys::against}},
      .columns = {{.statistics = {"difference"}, .across = &Keys::group, .part = CellPart::p_holm}},
      .keys = {.method = method},
      .is_folded = true};
}

}  // namespace

MochaTests test_mocha(std::span<const data::Answer> answers,
                      std::span<const data::AnswerPair> pairs,
                      std::span<const MochaPredictions> metrics,
                      const std::set<std::string>& constituents) {
  MochaTests tests;
  const std::vector<data::InstanceKey> keys = keys_of(answers);
  std::vector<Given> given;
  for (const MochaPredictions& metric : metrics) {
    tests.metrics.push_back(metric.metric);
    given.push_back(data::match_predictions(keys, metric.answers, metric.metric).values);
  }
  for (const Group& group : group_by(answers.size(), [&](size_t i) { return keys[i].first; })) {
    if (!is_chosen(constituents, group.name)) continue;
    AnnotatorAgreement annotators = annotator_agreement(answers, group);
    if (annotators.n > 0) tests.annotators.push_back(std::move(annotators));
    std::vector<double> human;
    std::vector<std::vector<double>> scores;
    for (const Given& of_metric : given) {
      Series series = series_of(answers, of_metric, group.members);
      human = std::move(series.human);
      scores.push_back(std::move(series.predicted));
    }
    for (MetricTest& test :
         test_correlations(group.name, human, scores, {}, AgreementTest::williams, {})) {
      tests.correlations.push_back(std::move(test));
    }
  }
  if (!pairs.empty()) tests.pairs = test_pairs(pairs, metrics, constituents);
  return tests;
}

void add_tests(const MochaTests& tests, Result& result) {
  add_measurements(tests.metrics, tests.correlations, "williams", result);
  add_measurements(tests.metrics, tests.pairs, "mcnemar", result);
  const auto counts = add_holm(result.measurements);
  const auto add_table = [&](const std::string& title, const std::string& method,
                             const std::string& statistic) {
    const auto count = counts.find({method, ""});
    if (count == counts.end()) return;
    Layout& layout = result.tables.emplace_back(test_layout(title, method));
    layout.notes = best_notes(result, statistic, method);
    layout.notes.insert(layout.notes.begin(),
                        "p with Holm's correction over all " + counted(count->second, "test"));
  };
  add_table("Williams' test of Pearson's r", "williams", "pearson");
  add_table("McNemar's exact test on minimal pairs", "mcnemar", "minimal_pair_accuracy");
  if (!tests.pairs.empty()) {
    result.tables.back().notes.emplace_back(
        "a pair of equal scores is incorrect here, and half correct in the accuracy");
  }
  const std::string alpha = "krippendorff_alpha";
  for (const AnnotatorAgreement& annotators : tests.annotators) {
    add_value({.keys = {.metric = "human", .group = annotators.constituent}, .n = annotators.n},
              alpha, annotators.alpha, "fewer than two scores, or all the same",
              result.measurements);
  }
  result.tables.push_back(
      {.title = "Agreement of the annotators (Krippendorff's alpha, interval scale)",
       .rows = {{"constituent", &Keys::group}},
       .columns = {{.title = "instances", .statistics = {alpha}, .part = CellPart::n},
                   {.title = "alpha", .statistics = {alpha}}},
       .keys = {.metric = "human"}});
}

}  // namespace rubric::eval
