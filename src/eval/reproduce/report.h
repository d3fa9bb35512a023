// The results of an experiment: its cells measured and compared with the paper, and what the
// finished steps report about their data and versions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/reproduce/run.h"
#include "rubric/result.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

struct CellResult {
  const Cell* cell;
  std::vector<double> by_seed;              // a single value without seeds; empty if not measured
  std::optional<stats::Interval> interval;  // of their mean; nothing of p values
  // 0: the paper's value is reproduced; 1: ours is above it; -1: below. Nothing where there is no
  // value, ours or the paper's, to compare.
  std::optional<int> verdict;
  std::string why;  // there is no value: "not run: no data", "undefined: /all/pearson of evaluate"
};

// The result of each cell of the plan. Throws InputError with the cell's file:line when its pointer
// does not lead to a number.
std::vector<CellResult> cell_results(const Experiment& experiment, const Plan& plan,
                                     const ExperimentOutcome& outcome);

// 0 when the paper's value lies in the interval or, without seeds, equals ours at the printed
// precision; else 1 (above) or -1 (below), the side of the paper's value on which our mean lies.
int verdict(const PaperValue& paper, double mean, const std::optional<stats::Interval>& interval,
            bool has_seeds);

// The cells beside the paper's, and what stands behind them. docs/results_format.md has the
// measurements and records. Notes say why cells were not measured.
Result experiment_result(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, std::span<const CellResult> cells);

// How many runs each step has, and how many of them are done, still to run and left out; with
// `is_verbose` the runs with their commands.
Result dry_run_result(const Experiment& experiment, const Plan& plan,
                      const ExperimentOutcome& outcome, bool is_verbose);

// Plots.

// Our values with their 95% intervals beside the paper's: a plot for each row with several columns,
// or one of all rows if each has one column. Rows without an interval are left out. They show the
// measurements "mean" and "paper".
std::vector<IntervalPlot> cell_plots(std::span<const CellResult> cells);

// The learning curves of the finished trainings, except those whose learning rate (or other axis)
// was not selected.
std::vector<Plot> training_plots(const Plan& plan, const ExperimentOutcome& outcome);

// What the finished steps report, read from their directories: "scored" (step, metric, rows, mean
// with its 95% interval, truncated texts), "trained" (step, data, updates, best score on dev,
// versions of the programs) and "signatures" of scores and evaluations.
std::vector<Records> source_records(const Plan& plan, const ExperimentOutcome& outcome);

}  // namespace rubric::eval
