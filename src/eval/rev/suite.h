// REV (Chen et al. 2022, section 2), LAS (Hase et al. 2020) and RQ (Wiegreffe et al. 2021): what
// each says of a rationale, and of a set of them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/rationales/scored_rationales.h"
#include "stats/bootstrap_part.h"

namespace rubric {

// The metrics; what is by metric stands in this order.
struct RevMetric {
  const char* key;    // in JSON
  const char* title;  // in tables
};
inline constexpr std::array<RevMetric, 3> kRevMetrics = {
    {{"rev", "REV"}, {"las", "LAS"}, {"rq", "RQ"}}};
inline constexpr size_t kRev = 0, kLas = 1, kRq = 2;

using RevFigures = std::array<std::optional<double>, kRevMetrics.size()>;

// By row. REV is the row's score, in nats. LAS and RQ are -1, 0 or 1: whether the simulator that
// reads question and rationale chooses the label (RQ: the gold label), less whether the one that
// reads the question does.
struct RevScores {
  std::array<std::vector<double>, kRevMetrics.size()> values;  // [metric]; empty: not scored
  std::vector<bool> leaks;  // the one that reads the rationale alone chooses the label; for LAS

  bool has(size_t metric) const { return !values[metric].empty(); }
};

// LAS wants all three simulators, RQ two and the gold label.
RevScores rev_scores(std::span<const ScoredRationale> rows);

// Of the rows, each as often as `counts` says: REV and RQ are means, LAS the mean of the means of
// the leaking rows and of the others. Nothing where not scored, and for LAS where either group is
// empty (the published program's is then not a number).
RevFigures rev_figures(const RevScores& scores, Counts counts);

// Figures behind those, by name; nothing where undefined or where what they need is missing.
// Shares: "positive" (REV above 0), "right_labels" (label equals gold), "sim_x", "sim_r", "sim_xr"
// (the simulator chooses the label), "sim_x_gold", "sim_r_gold", "sim_xr_gold" (the gold label).
// Numbers of rows: "leaking", "non_leaking". LAS of each group: "las_leaking", "las_non_leaking".
using RevDetails = std::vector<std::pair<std::string, std::optional<double>>>;
RevDetails rev_details(std::span<const ScoredRationale> rows, const RevScores& scores);

}  // namespace rubric
