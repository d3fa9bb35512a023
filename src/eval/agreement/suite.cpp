#include "eval/agreement/suite.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/context.h"
#include "core/system/log.h"
#include "eval/resampling.h"
#include "stats/correlation.h"
#include "stats/significance.h"

namespace rubric::eval {
namespace {

// All rows, then the groups in order of first appearance.
std::vector<Group> groups_of(const data::ScoredRows& rows) {
  std::vector<Group> groups =
      group_by(rows.groups.size(), [&](size_t i) { return rows.groups[i]; });
  Group all{"", std::vector<size_t>(rows.human.size())};
  std::iota(all.members.begin(), all.members.end(), size_t{0});
  groups.insert(groups.begin(), std::move(all));
  return groups;
}

template <class Value>
std::vector<Value> select(const std::vector<Value>& values, const std::vector<size_t>& rows) {
  std::vector<Value> selected;
  for (const size_t row : rows) selected.push_back(values[row]);
  return selected;
}

// Adds the group and its tests.
void add_group(const data::ScoredRows& rows, const Group& group,
               const stats::Clusters& all_questions, Agreement& agreement) {
  const AgreementOptions& options = agreement.options;
  const uint64_t stream = agreement.groups.size();
  const stats::Clusters questions = stats::clusters_by(select(all_questions.of, group.members));
  const std::vector<double> human = select(rows.human, group.members);
  std::vector<std::vector<double>> scores;
  for (const auto& metric : rows.scores) scores.push_back(select(metric, group.members));
  GroupAgreement result{
      group.name, std::ssize(human), static_cast<int64_t>(questions.count), false, {}};
  result.is_human_constant =
      std::all_of(human.begin(), human.end(), [&](double label) { return label == human[0]; });
  result.metrics = metric_agreements(human, scores, questions, options.bootstrap, stream);
  agreement.groups.push_back(std::move(result));
  for (MetricTest& test : test_correlations(group.name, human, scores, questions, options.test,
                                            {agreement.exchanges, options.bootstrap.seed})) {
    agreement.tests.push_back(std::move(test));
  }
}

}  // namespace

std::vector<MetricAgreement> metric_agreements(std::span<const double> human,
                                               std::span<const std::vector<double>> scores,
                                               const stats::Clusters& questions,
                                               const stats::BootstrapOptions& options,
                                               uint64_t stream) {
  std::vector<stats::ResampledCorrelation> resampled;
  for (const auto& metric : scores) resampled.emplace_back(human, metric);
  using Values = std::vector<std::optional<double>>;
  struct Resampled {
    Values pearson, spearman, kendall;
  };
  const Values empty(static_cast<size_t>(options.resamples));
  std::vector<Resampled> values(scores.size(), {empty, empty, empty});
  stats::visit_resamples(questions, options, stream, [&](size_t resample, stats::Counts counts) {
    end_if_stop_requested();
    for (size_t metric = 0; metric < scores.size(); ++metric) {
      const stats::Correlations drawn = resampled[metric].all(counts);
      values[metric].pearson[resample] = drawn.pearson;
      values[metric].spearman[resample] = drawn.spearman;
      values[metric].kendall[resample] = drawn.kendall;
    }
  });
  std::vector<MetricAgreement> metrics;
  for (size_t metric = 0; metric < scores.size(); ++metric) {
    Resampled& drawn = values[metric];
    metrics.push_back({stats::correlations(human, scores[metric]),
                       stats::percentile_interval(drawn.pearson),
                       stats::percentile_interval(drawn.spearman),
                       stats::percentile_interval(drawn.kendall), std::move(drawn.pearson)});
  }
  return metrics;
}

Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options) {
  Agreement agreement;
  agreement.metrics = rows.metrics;
  agreement.unlabelled = rows.unlabelled;
  agreement.options = options;
  const stats::Clusters questions = questions_of(rows);
  agreement.has_questions = names_questions(rows);
  const std::vector<Group> groups = groups_of(rows);
  const size_t pairs = rows.metrics.size() * (rows.metrics.size() - 1) / 2;
  agreement.exchanges = stats::permutations_for(options.bootstrap, pairs * groups.size());
  int64_t total = 0;
  for (const Group& group : groups) total += std::ssize(group.members);
  Progress progress("resampling", total);
  int64_t done = 0;
  for (const Group& group : groups) {
    add_group(rows, group, questions, agreement);
    progress.update(done += std::ssize(group.members));
  }
  correct(agreement.tests);
  if (!rows.systems.empty()) agreement.systems = evaluate_systems(rows, options.bootstrap);
  return agreement;
}

std::vector<size_t> by_agreement(const GroupAgreement& group) {
  std::vector<size_t> order(group.metrics.size());
  std::iota(order.begin(), order.end(), size_t{0});
  constexpr double kUndefined = -2;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return group.metrics[a].correlations.pearson.value_or(kUndefined) >
           group.metrics[b].correlations.pearson.value_or(kUndefined);
  });
  return order;
}

}  // namespace rubric::eval
