#include <algorithm>

#include "eval/agreement/suite.h"

namespace rubric::eval {
namespace {

// The weighted means of `values` by system; empty when a system has no row.
class SystemMeans {
 public:
  explicit SystemMeans(const stats::Clusters& systems) : systems_(systems) {}

  template <class WeightOf>
  std::vector<double> operator()(const std::vector<double>& values, WeightOf weight_of) const {
    std::vector<double> sums(systems_.count), weights(systems_.count);
    for (size_t row = 0; row < values.size(); ++row) {
      const double weight = weight_of(row);
      sums[systems_.of[row]] += weight * values[row];
      weights[systems_.of[row]] += weight;
    }
    for (size_t system = 0; system < systems_.count; ++system) {
      if (weights[system] == 0) return {};
      sums[system] /= weights[system];
    }
    return sums;
  }

 private:
  const stats::Clusters& systems_;
};

// [metric][resample]
using ResampledSystems = std::vector<std::vector<SystemAgreement>>;

ResampledSystems resample(const data::ScoredRows& rows, const SystemMeans& means,
                          const stats::Clusters& questions,
                          const stats::BootstrapOptions& options) {
  ResampledSystems resampled(rows.metrics.size(),
                             std::vector<SystemAgreement>(static_cast<size_t>(options.resamples)));
  if (questions.count < 2) return resampled;  // no resamples but itself, and no intervals
  stats::visit_resamples(questions, options, 0, [&](size_t resample, stats::Counts counts) {
    const auto weight = [&](size_t row) { return static_cast<double>(counts[row]); };
    const std::vector<double> human = means(rows.human, weight);
    if (human.empty()) return;
    for (size_t metric = 0; metric < rows.metrics.size(); ++metric) {
      resampled[metric][resample] = system_agreement(human, means(rows.scores[metric], weight));
    }
  });
  return resampled;
}

template <class ValueOf>
std::optional<stats::Interval> interval_of(const std::vector<SystemAgreement>& resampled,
                                           ValueOf value_of) {
  std::vector<std::optional<double>> values;
  for (const SystemAgreement& drawn : resampled) values.push_back(value_of(drawn));
  return stats::percentile_interval(values);
}

}  // namespace

SystemInterval system_interval(const std::vector<SystemAgreement>& resampled) {
  using Values = const SystemAgreement&;
  return {interval_of(resampled, [](Values v) { return v.correlations.pearson; }),
          interval_of(resampled, [](Values v) { return v.correlations.spearman; }),
          interval_of(resampled, [](Values v) { return v.correlations.kendall; }),
          interval_of(resampled, [](Values v) { return v.pairwise_accuracy; })};
}

SystemAgreement system_agreement(std::span<const double> human, std::span<const double> metric) {
  SystemAgreement values;
  if (human.size() >= 3) values.correlations = stats::correlations(human, metric);
  int64_t pairs = 0, right = 0;
  for (size_t a = 0; a < human.size(); ++a) {
    for (size_t b = a + 1; b < human.size(); ++b) {
      if (human[a] == human[b]) continue;
      ++pairs;
      const bool is_first_better = human[a] > human[b];
      right += (is_first_better ? metric[a] > metric[b] : metric[a] < metric[b]) ? 1 : 0;
    }
  }
  if (pairs > 0) {
    values.pairwise_accuracy = static_cast<double>(right) / static_cast<double>(pairs);
  }
  return values;
}

SystemLevel evaluate_systems(const data::ScoredRows& rows, const stats::Clusters& questions,
                             const stats::BootstrapOptions& options) {
  SystemLevel level;
  const stats::Clusters systems = stats::clusters_by(rows.systems);
  level.systems.resize(systems.count);
  level.n.resize(systems.count);
  for (size_t row = 0; row < rows.systems.size(); ++row) {
    level.systems[systems.of[row]] = rows.systems[row];
    ++level.n[systems.of[row]];
  }
  const SystemMeans means(systems);
  const auto once = [](size_t) { return 1.0; };
  level.human = means(rows.human, once);
  for (const auto& scores : rows.scores) level.means.push_back(means(scores, once));
  if (level.systems.size() < 2) return level;
  for (const auto& metric : level.means) {
    level.values.push_back(system_agreement(level.human, metric));
  }
  for (const auto& resampled : resample(rows, means, questions, options)) {
    level.intervals.push_back(system_interval(resampled));
  }
  return level;
}

}  // namespace rubric::eval
