// REV's evaluation of kinds of rationale-label pairs (Chen et al. 2022, section 4.1, Figure 2).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "eval/rev/suite.h"
#include "eval/rev/rev_pairs.h"
#include "stats/bootstrap_part.h"

namespace rubric {

// A value for each metric, in kRevMetrics' order.
template <class Value>
using ByRevMetric = std::array<Value, kRevMetrics.size()>;

// How many baselines were made by what: "rules", "template", "statements", or "given" where the
// row does not say. A row without a baseline does not count.
using BaselineCounts = std::map<std::string, int64_t>;

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
  std::vector<int64_t> left_out = {};  // by seed: rows of its file that are not common to all
  BaselineCounts baselines = {};       // of all seeds' rows

  bool has(size_t metric) const { return scores.front().has(metric); }
};

struct RevEvaluation {
  int64_t n = 0, questions = 0;  // rows of each file; fewer where several are of one question
  std::vector<RevKind> kinds;
  BootstrapOptions bootstrap;
  std::set<std::string> left_out = {};  // ids that not all files have, or not with all figures
};

// Means over the seeds of each kind, with intervals over seeds and questions: a resample draws
// seeds, and the same questions for every seed and kind.
RevEvaluation evaluate_rev(std::span<const RevPairs> pairs, const BootstrapOptions& options);

}  // namespace rubric
