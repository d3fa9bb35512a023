#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "eval/resampling.h"
#include "eval/rev/rev.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

using Rows = std::span<const data::ScoredRationale>;

double difference(const data::ScoredRationale& row, const std::string& label) {
  return static_cast<double>(row.sim_xr == label) - static_cast<double>(row.sim_x == label);
}

std::optional<double> ratio(double sum, double count) {
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<double> weighted_mean(const std::vector<double>& values, stats::Counts counts) {
  double sum = 0, weight = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += counts[i] * values[i];
    weight += counts[i];
  }
  return ratio(sum, weight);
}

// The two groups of LAS: leaking rows and the others.
struct LasGroups {
  double leaking = 0, non_leaking = 0;  // rows
  std::optional<double> las_leaking, las_non_leaking;
};

LasGroups las_groups(const RevScores& scores, stats::Counts counts) {
  LasGroups groups;
  double leaking_sum = 0, non_leaking_sum = 0;
  for (size_t i = 0; i < scores.leaks.size(); ++i) {
    (scores.leaks[i] ? groups.leaking : groups.non_leaking) += counts[i];
    (scores.leaks[i] ? leaking_sum : non_leaking_sum) += counts[i] * scores.values[kLas][i];
  }
  groups.las_leaking = ratio(leaking_sum, groups.leaking);
  groups.las_non_leaking = ratio(non_leaking_sum, groups.non_leaking);
  return groups;
}

template <class Holds>
std::optional<double> share(Rows rows, Holds holds) {
  return static_cast<double>(std::ranges::count_if(rows, holds)) / static_cast<double>(rows.size());
}

// How often the simulator chooses the row's label, or its gold label.
std::optional<double> accuracy(Rows rows, std::string data::ScoredRationale::*simulated,
                               std::string data::Rationale::*label) {
  if ((rows.front().*simulated).empty() || (rows.front().*label).empty()) return std::nullopt;
  return share(rows,
               [&](const data::ScoredRationale& row) { return row.*simulated == row.*label; });
}

}  // namespace

RevScores rev_scores(Rows rows) {
  RevScores scores;
  const data::ScoredRationale& first = rows.front();  // like all others: see read_scored_rationales
  const bool has_both = !first.sim_x.empty() && !first.sim_xr.empty();
  for (const data::ScoredRationale& row : rows) {
    if (first.rev) scores.values[kRev].push_back(*row.rev);
    if (has_both && !first.sim_r.empty()) {
      scores.values[kLas].push_back(difference(row, row.label));
      scores.leaks.push_back(row.sim_r == row.label);
    }
    if (has_both && !first.gold.empty()) scores.values[kRq].push_back(difference(row, row.gold));
  }
  return scores;
}

RevValues rev_values(const RevScores& scores, stats::Counts counts) {
  RevValues statistics;
  statistics[kRev] = weighted_mean(scores.values[kRev], counts);
  statistics[kRq] = weighted_mean(scores.values[kRq], counts);
  const LasGroups groups = las_groups(scores, counts);
  if (groups.las_leaking && groups.las_non_leaking) {
    statistics[kLas] = (*groups.las_leaking + *groups.las_non_leaking) / 2;
  }
  return statistics;
}

RevDetails rev_details(Rows rows, const RevScores& scores) {
  std::optional<double> positive, correct_labels, leaking, non_leaking;
  if (scores.has(kRev)) {
    positive = share(rows, [](const data::ScoredRationale& row) { return *row.rev > 0; });
  }
  if (!rows.front().gold.empty()) {
    correct_labels =
        share(rows, [](const data::ScoredRationale& row) { return row.label == row.gold; });
  }
  const LasGroups groups = las_groups(scores, std::vector<uint32_t>(rows.size(), 1));
  if (scores.has(kLas)) {
    leaking = groups.leaking;
    non_leaking = groups.non_leaking;
  }
  return {{"positive", positive},
          {"correct_labels", correct_labels},
          {"sim_x", accuracy(rows, &data::ScoredRationale::sim_x, &data::Rationale::label)},
          {"sim_r", accuracy(rows, &data::ScoredRationale::sim_r, &data::Rationale::label)},
          {"sim_xr", accuracy(rows, &data::ScoredRationale::sim_xr, &data::Rationale::label)},
          {"sim_x_gold", accuracy(rows, &data::ScoredRationale::sim_x, &data::Rationale::gold)},
          {"sim_r_gold", accuracy(rows, &data::ScoredRationale::sim_r, &data::Rationale::gold)},
          {"sim_xr_gold", accuracy(rows, &data::ScoredRationale::sim_xr, &data::Rationale::gold)},
          {"leaking", leaking},
          {"non_leaking", non_leaking},
          {"las_leaking", groups.las_leaking},
          {"las_non_leaking", groups.las_non_leaking}};
}

namespace {

std::vector<bool> rows_with_other_texts(const RevPairs& pairs) {
  const std::vector<data::ScoredRationale>& first = pairs.seeds.front();
  std::vector<bool> others(first.size());
  for (const std::vector<data::ScoredRationale>& rows : pairs.seeds) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].label != first[i].label || rows[i].rationale != first[i].rationale) {
        others[i] = true;
      }
    }
  }
  return others;
}

BaselineCounts count_baselines(const RevPairs& pairs) {
  BaselineCounts counts;
  for (const std::vector<data::ScoredRationale>& rows : pairs.seeds) {
    for (const data::ScoredRationale& row : rows) {
      if (row.baseline.empty()) continue;
      ++counts[row.baseline_by.empty() ? "given" : row.baseline_by];
    }
  }
  return counts;
}

RevDetails mean_details(const RevPairs& pairs, const std::vector<RevScores>& scores) {
  std::vector<RevDetails> by_seed;
  for (size_t seed = 0; seed < scores.size(); ++seed) {
    by_seed.push_back(rev_details(pairs.seeds[seed], scores[seed]));
  }
  RevDetails means = by_seed.front();
  for (size_t i = 0; i < means.size(); ++i) {
    std::vector<std::optional<double>> values;
    for (const RevDetails& details : by_seed) values.push_back(details[i].second);
    means[i].second = mean_if_all(values);
  }
  return means;
}

// Everything except the resamples.
RevKind kind_of(const RevPairs& pairs) {
  RevKind kind;
  kind.name = pairs.kind;
  kind.has_other_texts = rows_with_other_texts(pairs);
  for (const std::set<std::string>& ids : pairs.left_out) kind.left_out.push_back(std::ssize(ids));
  kind.baselines = count_baselines(pairs);
  for (const std::vector<data::ScoredRationale>& rows : pairs.seeds) {
    kind.scores.push_back(rev_scores(rows));
    const std::vector<uint32_t> once(rows.size(), 1);
    const RevValues statistics = rev_values(kind.scores.back(), once);
    for (size_t metric = 0; metric < statistics.size(); ++metric) {
      kind.by_seed[metric].push_back(statistics[metric]);
    }
  }
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    kind.means[metric] = mean_if_all(kind.by_seed[metric]);
  }
  kind.details = mean_details(pairs, kind.scores);
  return kind;
}

// `resampled`: of each seed and metric.
void add_intervals(RevKind& kind, std::span<const stats::Statistics> resampled,
                   const stats::BootstrapOptions& options) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    if (!kind.means[metric]) continue;
    std::vector<RunValue> seeds;
    for (size_t seed = 0; seed < kind.scores.size(); ++seed) {
      RunValue& value = seeds.emplace_back(RunValue{*kind.by_seed[metric][seed], {}});
      for (const auto& one : resampled[seed * kRevMetrics.size() + metric]) {
        value.resampled.push_back(one.value_or(kUndefined));
      }
    }
    kind.resampled[metric] = seed_and_instance_means({std::move(seeds)}, options);
    kind.intervals[metric] = stats::percentile_interval(kind.resampled[metric]);
  }
}

}  // namespace

RevEvaluation evaluate_rev(std::span<const RevPairs> pairs,
                           const stats::BootstrapOptions& options) {
  const std::vector<data::ScoredRationale>& rows = pairs.front().seeds.front();
  const stats::Clusters questions = rationale_questions(rows);
  RevEvaluation evaluation{std::ssize(rows), static_cast<int64_t>(questions.count), {}, options};
  for (const RevPairs& kind : pairs) {
    evaluation.kinds.push_back(kind_of(kind));
    for (const std::set<std::string>& ids : kind.left_out) {
      evaluation.left_out.insert(ids.begin(), ids.end());
    }
  }
  size_t seeds = 0;
  for (const RevKind& kind : evaluation.kinds) seeds += kind.scores.size();
  const auto resampled = stats::resampled_statistics(
      questions, options, 0, seeds * kRevMetrics.size(), [&](stats::Counts counts) {
        stats::Statistics values;
        for (const RevKind& kind : evaluation.kinds) {
          for (const RevScores& scores : kind.scores) {
            std::ranges::copy(rev_values(scores, counts), std::back_inserter(values));
          }
        }
        return values;
      });
  std::span<const stats::Statistics> rest = resampled;
  for (RevKind& kind : evaluation.kinds) {
    const size_t count = kind.scores.size() * kRevMetrics.size();
    add_intervals(kind, rest.first(count), options);
    rest = rest.subspan(count);
  }
  return evaluation;
}

}  // namespace rubric::eval
