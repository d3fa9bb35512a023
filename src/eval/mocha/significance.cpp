#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "eval/mocha/mocha.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "stats/agreement.h"

namespace rubric::eval {
namespace {

// Whether a metric orders each of the group's pairs correctly.
std::vector<bool> correct_pairs(const Given& better, const Given& worse, const Group& group) {
  std::vector<bool> correct;
  for (const size_t i : group.members)
    correct.push_back(better[i] && worse[i] && *better[i] > *worse[i]);
  return correct;
}

// Adds the tests of every two metrics in a constituent that are defined.
void add_pairs_of_metrics(const std::vector<std::string>& metrics,
                          const std::vector<std::optional<MetricTest>>& tests, Keys keys,
                          std::vector<Measurement>& to) {
  size_t pair = 0;
  for (size_t a = 0; a < metrics.size(); ++a) {
    for (size_t b = a + 1; b < metrics.size(); ++b) {
      const std::optional<MetricTest>& test = tests[pair++];
      if (!test) continue;
      keys.metric = metrics[a];
      keys.against = metrics[b];
      to.push_back(
          {.keys = keys, .statistic = "difference", .value = test->difference, .p = test->p});
      to.push_back({.keys = keys, .statistic = "test_statistic", .value = test->statistic});
    }
  }
}

void test_pairs(std::span<const data::AnswerPair> pairs, std::span<const MochaPredictions> metrics,
                const std::set<std::string>& constituents, std::vector<Measurement>& to) {
  const std::vector<data::InstanceKey> keys = keys_of(pairs);
  std::vector<std::string> scored;  // metrics
  std::vector<Given> better, worse;
  for (const MochaPredictions& metric : metrics) {
    if (!metric.pairs) continue;
    scored.push_back(metric.metric);
    better.push_back(data::match_predictions(keys, metric.pairs->better, metric.metric).values);
    worse.push_back(data::match_predictions(keys, metric.pairs->worse, metric.metric).values);
  }
  for (const Group& group : group_by(pairs.size(), [&](size_t i) { return keys[i].first; })) {
    if (!is_chosen(constituents, group.name)) continue;
    std::vector<std::vector<bool>> orders;
    for (size_t i = 0; i < scored.size(); ++i) {
      orders.push_back(correct_pairs(better[i], worse[i], group));
    }
    add_pairs_of_metrics(scored, test_accuracies(orders),
                         {.group = group.name, .method = "mcnemar"}, to);
  }
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

}  // namespace

std::vector<Measurement> test_mocha(std::span<const data::Answer> answers,
                                    std::span<const data::AnswerPair> pairs,
                                    std::span<const MochaPredictions> metrics,
                                    const std::set<std::string>& constituents) {
  std::vector<Measurement> tests, of_annotators;
  const std::vector<data::InstanceKey> keys = keys_of(answers);
  std::vector<std::string> names;
  std::vector<Given> given;
  for (const MochaPredictions& metric : metrics) {
    names.push_back(metric.metric);
    given.push_back(data::match_predictions(keys, metric.answers, metric.metric).values);
  }
  for (const Group& group : group_by(answers.size(), [&](size_t i) { return keys[i].first; })) {
    if (!is_chosen(constituents, group.name)) continue;
    std::vector<std::vector<double>> ratings;
    for (const size_t i : group.members) {
      if (answers[i].ratings.size() >= 2) ratings.push_back(answers[i].ratings);
    }
    if (!ratings.empty()) {
      Adder{of_annotators,
            {.metric = "human", .group = group.name},
            std::ssize(ratings),
            "fewer than two scores, or all the same"}("krippendorff_alpha",
                                                      stats::krippendorff_alpha(ratings));
    }
    std::vector<double> human;
    std::vector<std::vector<double>> scores;
    for (const Given& of_metric : given) {
      Series series = series_of(answers, of_metric, group.members);
      human = std::move(series.human);
      scores.push_back(std::move(series.predicted));
    }
    add_pairs_of_metrics(names, test_correlations(human, scores, {}, AgreementTest::williams, {}),
                         {.group = group.name, .method = "williams"}, tests);
  }
  if (!pairs.empty()) test_pairs(pairs, metrics, constituents, tests);
  std::ranges::move(of_annotators, std::back_inserter(tests));
  return tests;
}

void add_tests(const std::vector<Measurement>& tests, Result& result) {
  result.measurements.insert(result.measurements.end(), tests.begin(), tests.end());
  const auto counts = add_holm(result.measurements);
  const auto add_table = [&](const std::string& test, const std::string& method,
                             const std::string& statistic) {
    const auto count = counts.find({method, ""});
    if (count == counts.end()) return false;
    Layout& layout = result.tables.emplace_back(
        read_layout("mocha", "tests", {{"test", test}, {"method", method}}));
    layout.notes = best_notes(result, statistic, method);
    layout.notes.insert(layout.notes.begin(),
                        "p with Holm's correction over all " + counted(count->second, "test"));
    return true;
  };
  add_table("Williams' test of Pearson's r", "williams", "pearson");
  if (add_table("McNemar's exact test on minimal pairs", "mcnemar", "minimal_pair_accuracy")) {
    result.tables.back().notes.emplace_back(
        "a pair of equal scores is incorrect here, and half correct in the accuracy");
  }
  result.tables.push_back(read_layout("mocha", "annotators"));
}

}  // namespace rubric::eval
