// The cells of an experiment: what we measured beside what the paper says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/reproduce/run.h"
#include "stats/bootstrap_part.h"

namespace rubric {

struct CellResult {
  const Cell* cell;
  std::vector<double> by_seed;       // one without seeds; empty: not measured
  std::optional<Interval> interval;  // of their mean
  std::string verdict;  // "reproduced", "above", "below", "not run", "undefined", "–"
  std::string why;      // of the two before the last
};

// One for each cell of the plan. Throws InputError with the cell's file:line where its pointer
// leads to no number.
std::vector<CellResult> cell_results(const Experiment& experiment, const Plan& plan,
                                     const ExperimentOutcome& outcome);

// "reproduced" when the paper's figure lies in the interval or, without seeds, equals ours at the
// precision that the paper prints; else "above" or "below" it, as our mean is.
std::string verdict(const PaperFigure& paper, double mean, const std::optional<Interval>& interval,
                    bool has_seeds);

}  // namespace rubric
