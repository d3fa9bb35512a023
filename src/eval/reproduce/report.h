// The results of an experiment: its cells measured and compared with the paper, as tables, JSON,
// HTML and plots, and what the finished steps report about their data and versions.
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
  std::vector<double> by_seed;              // a single value without seeds; empty if not measured
  std::optional<stats::Interval> interval;  // of their mean; nothing of p values
  std::string verdict;  // "reproduced", "above", "below", "not run", "undefined", "–"
  std::string why;      // the reason for "not run" and "undefined"
};

// The result of each cell of the plan. Throws InputError with the cell's file:line when its pointer
// does not lead to a number.
std::vector<CellResult> cell_results(const Experiment& experiment, const Plan& plan,
                                     const ExperimentOutcome& outcome);

// "reproduced" when the paper's value lies in the interval or, without seeds, equals ours at the
// printed precision; else "above" or "below", the side of the paper's value on which our mean lies.
std::string verdict(const PaperValue& paper, double mean,
                    const std::optional<stats::Interval>& interval, bool has_seeds);

// Tables and JSON.

// A row a cell: row, column, paper, measured (mean ± standard deviation over seeds; the largest of
// several p values, so that each seed's is at most that), 95% interval,
// verdict; with notes on why cells were not measured, the cells' notes and the experiment's.
Table cells_table(const Experiment& experiment, std::span<const CellResult> cells);

// The same for programs: numbers with full precision, empty if missing.
Table cell_value_table(std::span<const CellResult> cells);

// The runs: name, state, command.
Table runs_table(const Plan& plan, const ExperimentOutcome& outcome);

// How many runs each step has, and how many of them are done, still to run and left out; narrow.
Table steps_table(const Plan& plan, const ExperimentOutcome& outcome);

// {"experiment", "title", "stand_in", "cells": [{"row", "column", "paper", "mean", "sd", "by_seed",
//  "ci95", "verdict", "why", "note"}], "selections": [{"step", "bindings", "axis", "value",
//  "candidates"}], "runs": [{"name", "state", "why", "command", "seconds"}]}. "mean" of p values is
//  the largest.
Json to_json(const Experiment& experiment, const Plan& plan, const ExperimentOutcome& outcome,
             std::span<const CellResult> cells);

// The HTML report with all of this, plots, signatures, truncation and versions; `command` is the
// command that made it.
Report experiment_report(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, std::span<const CellResult> cells,
                         const std::string& command);

// Plots.

// Our values with their 95% intervals beside the paper's: a plot for each row with several columns,
// or one of all rows if each has one column. Rows without an interval are left out.
std::vector<Plot> cell_plots(std::span<const CellResult> cells);

// The learning curves of the finished trainings, except those whose learning rate (or other axis)
// was not selected.
std::vector<Plot> training_plots(const Plan& plan, const ExperimentOutcome& outcome);

// What the finished steps report about their scores and training: truncation and versions.

struct ExperimentSources {
  Table scored;   // step, metric, rows, mean with its 95% interval, truncated texts
  Table trained;  // step, data (rows, tokens, truncated rows), updates, best score
  std::vector<std::string> signatures;  // of scores and evaluations, each with its step
  std::vector<std::string> versions;    // of the programs that trained
};

// Reads what the steps wrote into their directories: `score` its summary, the others results.json.
ExperimentSources experiment_sources(const Plan& plan, const ExperimentOutcome& outcome);

}  // namespace rubric::eval
