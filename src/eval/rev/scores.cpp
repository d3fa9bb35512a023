#include <algorithm>

#include "eval/rev/suite.h"

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
  std::optional<double> positive, right_labels, leaking, non_leaking;
  if (scores.has(kRev)) {
    positive = share(rows, [](const data::ScoredRationale& row) { return *row.rev > 0; });
  }
  if (!rows.front().gold.empty()) {
    right_labels =
        share(rows, [](const data::ScoredRationale& row) { return row.label == row.gold; });
  }
  const LasGroups groups = las_groups(scores, std::vector<uint32_t>(rows.size(), 1));
  if (scores.has(kLas)) {
    leaking = groups.leaking;
    non_leaking = groups.non_leaking;
  }
  return {{"positive", positive},
          {"right_labels", right_labels},
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

}  // namespace rubric::eval
