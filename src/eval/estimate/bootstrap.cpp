#include <algorithm>
#include <span>

#include "eval/estimate/parts.h"

namespace rubric::eval {
namespace {

// The columns of one system, and where they begin. With lambda fixed, an estimate is
//   sum over strata of share * (sum of w (label - slope * prediction) / sum of w)
//   + slope * mean prediction
// over its answers, where w is 1, or 1 / probability, of labelled ones.
struct ResampledSystem {
  size_t first = 0, strata = 0, predictors = 0;
  std::vector<double> slopes = {};  // by estimate; of labels alone 0; empty if there is none

  size_t weights(size_t stratum) const { return first + stratum; }
  size_t records(size_t stratum) const { return first + strata + stratum; }
  size_t predictions(size_t predictor) const { return first + 2 * strata + predictor; }
  size_t labels(size_t estimate, size_t stratum) const {
    return first + (2 + estimate) * strata + predictors + stratum;
  }
  size_t end() const { return labels(slopes.size(), 0); }

  // `observed`: what stands for a stratum without labels in the resample.
  double estimate(size_t e, std::span<const double> sums, std::span<const double> observed) const {
    double all = 0, value = 0;
    for (size_t h = 0; h < strata; ++h) all += sums[records(h)];
    if (all == 0) return estimate(e, observed, observed);
    for (size_t h = 0; h < strata; ++h) {
      const std::span<const double> of = sums[weights(h)] > 0 ? sums : observed;
      value += sums[records(h)] / all * of[labels(e, h)] / of[weights(h)];
    }
    return e == 0 ? value : value + slopes[e] * sums[predictions(e - 1)] / all;
  }

  double mean_prediction(size_t predictor, std::span<const double> sums,
                         std::span<const double> observed) const {
    double all = 0;
    for (size_t h = 0; h < strata; ++h) all += sums[records(h)];
    return all == 0 ? mean_prediction(predictor, observed, observed)
                    : sums[predictions(predictor)] / all;
  }
};

ResampledSystem resampled_system(const SystemWork& work, size_t first, size_t predictors) {
  ResampledSystem system{first, work.part.strata, predictors};
  const auto all = static_cast<double>(work.part.rows.size());
  const double unlabelled = all - static_cast<double>(work.part.sample.labels.size());
  for (const Influenced& of : work.estimates) {
    system.slopes.push_back(unlabelled > 0 ? of.mean.lambda * all / unlabelled : 0);
  }
  return system;
}

// Adds the columns of a system's answers; records[row of the group].
void add_columns(const ResampledSystem& system, const LabelledPart& part,
                 const Predictors& predictors, std::span<const uint32_t> group_rows,
                 std::vector<std::vector<double>>& records) {
  size_t next = 0, place = 0;
  for (size_t i = 0; i < part.rows.size(); ++i) {
    while (group_rows[place] != part.rows[i]) ++place;
    std::vector<double>& record = records[place];
    const size_t stratum = part.sample.strata.empty() ? 0 : part.sample.strata[i];
    record[system.records(stratum)] = 1;
    for (size_t p = 0; p < predictors.size(); ++p) {
      record[system.predictions(p)] = predictors[p][part.rows[i]];
    }
    if (next == part.sample.labelled.size() || part.sample.labelled[next] != i) continue;
    const double weight =
        part.sample.probabilities.empty() ? 1 : 1 / part.sample.probabilities[next];
    record[system.weights(stratum)] = weight;
    for (size_t e = 0; e < system.slopes.size(); ++e) {
      const double prediction = e == 0 ? 0 : predictors[e - 1][part.rows[i]];
      record[system.labels(e, stratum)] =
          weight * (part.sample.labels[next] - system.slopes[e] * prediction);
    }
    ++next;
  }
}

// The estimates in the order in which their resampled values come.
std::vector<std::optional<Estimate>*> estimates_in_order(GroupEstimates& estimates) {
  std::vector<std::optional<Estimate>*> order;
  for (SystemEstimates& system : estimates.systems) {
    order.push_back(&system.labels_alone);
    for (auto& estimate : system.with) order.push_back(&estimate);
    for (auto& estimate : system.metric_alone) order.push_back(&estimate);
  }
  for (EstimatedDifference& difference : estimates.differences) {
    order.push_back(&difference.labels_alone);
    for (auto& estimate : difference.with) order.push_back(&estimate);
  }
  return order;
}

// In that order. What is not estimated is 0.
std::vector<double> values_in_order(const std::vector<ResampledSystem>& systems,
                                    const GroupEstimates& estimates, std::span<const double> sums,
                                    std::span<const double> observed) {
  std::vector<double> values;
  std::vector<std::vector<double>> of_systems;
  for (size_t s = 0; s < systems.size(); ++s) {
    std::vector<double>& own = of_systems.emplace_back(systems[s].predictors + 1);
    for (size_t e = 0; e < systems[s].slopes.size(); ++e) {
      own[e] = systems[s].estimate(e, sums, observed);
    }
    values.insert(values.end(), own.begin(), own.end());
    for (size_t m = 0; m < estimates.systems[s].metric_alone.size(); ++m) {
      const bool is_any = estimates.systems[s].n > 0;
      values.push_back(is_any ? systems[s].mean_prediction(m, sums, observed) : 0);
    }
  }
  for (const EstimatedDifference& difference : estimates.differences) {
    for (size_t e = 0; e <= difference.with.size(); ++e) {
      values.push_back(of_systems[difference.first][e] - of_systems[difference.second][e]);
    }
  }
  return values;
}

}  // namespace

void add_bootstrap(const LabelledAnswers& answers, const Predictors& predictors,
                   const LabelledPart& group, const std::vector<SystemWork>& works,
                   const stats::BootstrapOptions& options, GroupEstimates& estimates) {
  if (group.questions.count < 2 || answers.labelled.empty()) return;
  std::vector<ResampledSystem> systems;
  size_t columns = 0;
  for (const SystemWork& work : works) {
    systems.push_back(resampled_system(work, columns, predictors.size()));
    columns = systems.back().end();
  }
  std::vector<std::vector<double>> records(group.rows.size(), std::vector<double>(columns));
  for (size_t s = 0; s < works.size(); ++s) {
    add_columns(systems[s], works[s].part, predictors, group.rows, records);
  }
  std::vector<double> observed(columns);
  for (const std::vector<double>& record : records) {
    for (size_t c = 0; c < columns; ++c) observed[c] += record[c];
  }
  const stats::ClusterSums sums = stats::cluster_sums(records, group.questions);
  const stats::ClusterSums* const all[] = {&sums};
  const std::vector<stats::Interval> intervals =
      stats::bootstrap_sums(all, options, [&](std::span<const double> of_resample, double) {
        return values_in_order(systems, estimates, of_resample, observed);
      });
  const std::vector<std::optional<Estimate>*> order = estimates_in_order(estimates);
  for (size_t i = 0; i < order.size(); ++i) {
    if (*order[i]) (*order[i])->bootstrap = intervals[i];
  }
}

}  // namespace rubric::eval
