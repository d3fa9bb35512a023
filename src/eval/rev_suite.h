// REV's evaluation of kinds of rationale-label pairs (Chen et al. 2022, section 4.1, Figure 2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/rev_figures.h"
#include "eval/rev_pairs.h"
#include "stats/bootstrap.h"

namespace rubric {

// A value for each metric, in kRevMetrics' order.
template <class Value>
using ByRevMetric = std::array<Value, kRevMetrics.size()>;

struct RevKind {
  std::string name;
  std::vector<RevScores> scores;                              // by seed
  ByRevMetric<std::vector<std::optional<double>>> by_seed;    // as rev_figures
  RevFigures means;                                           // nothing where a seed has none
  ByRevMetric<std::vector<std::optional<double>>> resampled;  // means over seeds and rows drawn
  ByRevMetric<std::optional<Interval>> intervals;
  RevDetails details;  // means over seeds; nothing where a seed has none
  // Rows in which a later seed's label, or rationale, is not the first's.
  std::vector<bool> has_other_texts;

  bool has(size_t metric) const { return scores.front().has(metric); }
};

struct RevEvaluation {
  int64_t n = 0, questions = 0;  // rows of each file; fewer where several are of one question
  std::vector<RevKind> kinds;
  BootstrapOptions bootstrap;
};

// Means over the seeds of each kind, with intervals over seeds and questions: a resample draws
// seeds, and the same questions for every seed and kind.
RevEvaluation evaluate_rev(std::span<const RevPairs> pairs, const BootstrapOptions& options);

}  // namespace rubric
