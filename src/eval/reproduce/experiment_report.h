// An experiment's outcome for readers and for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/reproduce/report.h"
#include "eval/report/report.h"
#include "eval/report/table.h"

namespace rubric {

// Cell by cell: row, column, paper, measured (mean ± standard deviation over seeds), 95% interval,
// verdict; below it why cells were not measured, the cells' notes and the experiment's.
Table cells_table(const Experiment& experiment, std::span<const CellResult> cells);

// The same to be computed with: numbers with all their digits, an empty cell where there is none.
Table cells_figures(std::span<const CellResult> cells);

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

}  // namespace rubric
