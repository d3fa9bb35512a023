#include <utility>

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
  correct(tests);
  return tests;
}

// The metric with the highest value, or nothing when all are undefined.
std::optional<size_t> best_of(const std::vector<std::optional<double>>& statistics) {
  std::optional<size_t> best;
  for (size_t i = 0; i < statistics.size(); ++i) {
    if (statistics[i] && (!best || *statistics[i] > *statistics[*best])) best = i;
  }
  return best;
}

// Of a statistic of each metric: "drop: f1 is best; the difference is not significant for em". ""
// where fewer than two metrics have the statistic.
std::string best_note(const std::string& group, const std::vector<std::string>& metrics,
                      std::span<const MetricTest> tests,
                      const std::vector<std::optional<double>>& statistics) {
  constexpr double kLevel = 0.05;
  const std::optional<size_t> best = best_of(statistics);
  std::vector<std::string> similar;
  size_t compared = 0;
  for (size_t i = 0; best && i < statistics.size(); ++i) {
    if (i == *best || !statistics[i]) continue;
    ++compared;
    const MetricTest* const test = find_test(tests, group, *best, i);
    if (test == nullptr || test->corrected_p >= kLevel) similar.push_back(metrics[i]);
  }
  if (compared == 0) return "";
  return group + ": " + metrics[*best] + " is best; the difference is " +
         (similar.empty() ? "significant for every other metric"
                          : "not significant for " + join(similar));
}

// Adds the tests as measurements by `method`, and their table.
void add_tests(const std::vector<std::string>& metrics, std::span<const MetricTest> tests,
               const std::string& method, const std::string& title, Result& result) {
  if (tests.empty()) return;
  for (const MetricTest& test : tests) {
    const Keys keys{.metric = metrics[test.first],
                    .against = metrics[test.second],
                    .group = test.group,
                    .method = method};
    result.measurements.push_back({.keys = keys,
                                   .statistic = "difference",
                                   .value = test.difference,
                                   .p = test.p,
                                   .p_holm = test.corrected_p});
    result.measurements.push_back(
        {.keys = keys, .statistic = "test_statistic", .value = test.statistic});
  }
  result.tables.push_back({.title = title + ", p of the difference between two metrics",
                           .rows = {{"metric", &Keys::metric}, {"against", &Keys::against}},
                           .columns = {{.statistics = {"difference"},
                                        .across = &Keys::group,
                                        .part = CellPart::p_holm}},
                           .keys = {.method = method},
                           .notes = {correction_note(tests)},
                           .is_folded = true});
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
  correct(tests.correlations);
  if (!pairs.empty()) tests.pairs = test_pairs(pairs, metrics, constituents);
  return tests;
}

void add_tests(const MochaTests& tests, std::span<const MochaResult> metrics, Result& result) {
  const auto add_note = [&](const std::string& group, std::span<const MetricTest> of_statistic,
                            const auto& statistic_of) {
    std::vector<std::optional<double>> statistics;
    for (const MochaResult& metric : metrics) statistics.push_back(statistic_of(metric));
    const std::string note = best_note(group, tests.metrics, of_statistic, statistics);
    if (!note.empty()) result.tables.back().notes.push_back(note);
  };
  add_tests(tests.metrics, tests.correlations, "williams", "Williams' test of Pearson's r", result);
  for (size_t i = 0; !tests.correlations.empty() && i < metrics.front().constituents.size(); ++i) {
    add_note(metrics.front().constituents[i].name, tests.correlations,
             [&](const MochaResult& of) { return of.constituents[i].correlations.pearson; });
  }
  add_tests(tests.metrics, tests.pairs, "mcnemar", "McNemar's exact test on minimal pairs", result);
  if (!tests.pairs.empty()) {
    result.tables.back().notes.emplace_back(
        "a pair of equal scores is incorrect here, and half correct in the accuracy");
  }
  for (size_t i = 0; !tests.pairs.empty() && i < metrics.front().pairs.size(); ++i) {
    add_note(metrics.front().pairs[i].name, tests.pairs,
             [&](const MochaResult& of) { return of.pairs[i].accuracy; });
  }
  const std::string alpha = "krippendorff_alpha";
  for (const AnnotatorAgreement& annotators : tests.annotators) {
    result.measurements.push_back({.keys = {.metric = "human", .group = annotators.constituent},
                                   .statistic = alpha,
                                   .value = annotators.alpha,
                                   .n = annotators.n});
  }
  result.tables.push_back(
      {.title = "Agreement of the annotators (Krippendorff's alpha, interval scale)",
       .rows = {{"constituent", &Keys::group}},
       .columns = {{.title = "instances", .statistics = {alpha}, .part = CellPart::n},
                   {.title = "alpha", .statistics = {alpha}}},
       .keys = {.metric = "human"}});
}

}  // namespace rubric::eval
