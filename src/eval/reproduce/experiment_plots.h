// An experiment's outcome as pictures.
#pragma once

#include <span>
#include <vector>

#include "eval/reproduce/report.h"
#include "eval/report/plots.h"

namespace rubric {

// Our figures with their 95% intervals beside the paper's: a picture for each row of several
// columns, or one of all rows where each has one column. Rows without an interval are left out.
std::vector<Plot> cell_plots(std::span<const CellResult> cells);

// The learning curves of the finished trainings, without those whose learning rate (or other axis)
// was not selected.
std::vector<Plot> training_plots(const Plan& plan, const ExperimentOutcome& outcome);

}  // namespace rubric
