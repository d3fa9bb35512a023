// The cells of an experiment: what we measured beside what the paper says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/report/plots.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "eval/reproduce/run.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

struct CellResult {
  const Cell* cell;
  std::vector<double> by_seed;              // one without seeds; empty: not measured
  std::optional<stats::Interval> interval;  // of their mean
  std::string verdict;  // "reproduced", "above", "below", "not run", "undefined", "–"
  std::string why;      // of the two before the last
};

// One for each cell of the plan. Throws InputError with the cell's file:line where its pointer
// leads to no number.
std::vector<CellResult> cell_results(const Experiment& experiment, const Plan& plan,
                                     const ExperimentOutcome& outcome);

// "reproduced" when the paper's figure lies in the interval or, without seeds, equals ours at the
// precision that the paper prints; else "above" or "below" it, as our mean is.
std::string verdict(const PaperValue& paper, double mean,
                    const std::optional<stats::Interval>& interval, bool has_seeds);

// An experiment's outcome for readers and for programs.

// Cell by cell: row, column, paper, measured (mean ± standard deviation over seeds), 95% interval,
// verdict; below it why cells were not measured, the cells' notes and the experiment's.
Table cells_table(const Experiment& experiment, std::span<const CellResult> cells);

// The same to be computed with: numbers with all their digits, an empty cell where there is none.
Table cell_value_table(std::span<const CellResult> cells);

// The runs and what is known of them: name, state, command.
Table runs_table(const Plan& plan, const ExperimentOutcome& outcome);

// {"experiment", "title", "stand_in", "cells": [{"row", "column", "paper", "mean", "sd", "by_seed",
//  "ci95", "verdict", "why", "note"}], "selections": [{"step", "bindings", "axis", "value",
//  "candidates"}], "runs": [{"name", "state", "why", "command", "seconds"}]}
Json to_json(const Experiment& experiment, const Plan& plan, const ExperimentOutcome& outcome,
             std::span<const CellResult> cells);

// The page with all of it, and with pictures, signatures, how much was cut and versions; `command`
// is what made it.
Report experiment_report(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, std::span<const CellResult> cells,
                         const std::string& command);

// An experiment's outcome as pictures.

// Our figures with their 95% intervals beside the paper's: a picture for each row of several
// columns, or one of all rows where each has one column. Rows without an interval are left out.
std::vector<Plot> cell_plots(std::span<const CellResult> cells);

// The learning curves of the finished trainings, without those whose learning rate (or other axis)
// was not selected.
std::vector<Plot> training_plots(const Plan& plan, const ExperimentOutcome& outcome);

// What the finished steps of an experiment say of their figures: how much was cut, and by what they
// were made.

struct ExperimentSources {
  Table scored;                         // step, metric, rows, mean with its 95% interval, texts cut
  Table trained;                        // step, data (rows, tokens, rows cut), updates, best figure
  std::vector<std::string> signatures;  // of scores and of evaluations, each with its step
  std::vector<std::string> versions;    // of what trained
};

// From what the steps left in their folders: `score` its summary, the others results.json.
ExperimentSources experiment_sources(const Plan& plan, const ExperimentOutcome& outcome);

}  // namespace rubric::eval
