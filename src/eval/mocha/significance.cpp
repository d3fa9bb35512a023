#include "eval/mocha/significance.h"

#include <utility>

#include "eval/mocha/mocha_series.h"
#include "stats/krippendorff.h"

namespace rubric {
namespace {

AnnotatorAgreement annotator_agreement(std::span<const Answer> answers, const Group& group) {
  std::vector<std::vector<double>> units;
  for (const size_t i : group.members) {
    if (answers[i].ratings.size() >= 2) units.push_back(answers[i].ratings);
  }
  return {group.name, krippendorff_alpha(units), std::ssize(units)};
}

// Which of the group's pairs a metric orders rightly.
std::vector<bool> right_pairs(const Given& better, const Given& worse, const Group& group) {
  std::vector<bool> right;
  for (const size_t i : group.members)
    right.push_back(better[i] && worse[i] && *better[i] > *worse[i]);
  return right;
}

std::vector<MetricTest> test_pairs(std::span<const AnswerPair> pairs,
                                   std::span<const MochaPredictions> metrics,
                                   const std::set<std::string>& constituents) {
  const std::vector<InstanceKey> keys = keys_of(pairs);
  std::vector<size_t> scored;  // metrics
  std::vector<Given> better, worse;
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (!metrics[i].pairs) continue;
    scored.push_back(i);
    better.push_back(match_predictions(keys, metrics[i].pairs->better, metrics[i].metric).values);
    worse.push_back(match_predictions(keys, metrics[i].pairs->worse, metrics[i].metric).values);
  }
  std::vector<MetricTest> tests;
  for (const Group& group : group_by(pairs.size(), [&](size_t i) { return keys[i].first; })) {
    if (!is_chosen(constituents, group.name)) continue;
    std::vector<std::vector<bool>> right;
    for (size_t i = 0; i < scored.size(); ++i) {
      right.push_back(right_pairs(better[i], worse[i], group));
    }
    for (MetricTest test : test_accuracies(group.name, right)) {
      test.first = scored[test.first];
      test.second = scored[test.second];
      tests.push_back(std::move(test));
    }
  }
  correct(tests);
  return tests;
}

}  // namespace

MochaTests test_mocha(std::span<const Answer> answers, std::span<const AnswerPair> pairs,
                      std::span<const MochaPredictions> metrics,
                      const std::set<std::string>& constituents) {
  MochaTests tests;
  const std::vector<InstanceKey> keys = keys_of(answers);
  std::vector<Given> given;
  for (const MochaPredictions& metric : metrics) {
    tests.metrics.push_back(metric.metric);
    given.push_back(match_predictions(keys, metric.answers, metric.metric).values);
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

}  // namespace rubric
