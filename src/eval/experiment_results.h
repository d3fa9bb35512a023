// The cells of an experiment: what we measured beside what the paper says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/experiment_run.h"
#include "stats/bootstrap.h"

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

// A figure as one run gave it, with its bootstrap over instances ("resampled" beside it in the
// results; empty: there is none). nan: undefined for that resample.
struct RunFigure {
  double value;
  std::vector<double> resampled;
};

// The 95% interval of the mean over seeds of the mean over `figures[which][seed]`, drawing seeds,
// and for each the instances, with replacement. A seed is drawn with all its figures: they may be
// of one model (all data sets), and their errors then do not average out; where each has a model of
// its own (out of dataset), the interval is as wide on average as with draws for each. As many
// seeds for each `which`. Nothing for one seed without resamples.
std::optional<Interval> seed_and_instance_interval(
    const std::vector<std::vector<RunFigure>>& figures);

// "reproduced" when the paper's figure lies in the interval or, without seeds, equals ours at the
// precision that the paper prints; else "above" or "below" it, as our mean is.
std::string verdict(const PaperFigure& paper, double mean, const std::optional<Interval>& interval,
                    bool has_seeds);

}  // namespace rubric
