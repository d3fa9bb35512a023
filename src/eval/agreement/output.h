// The figures of `evaluate agreement` as tables.
#pragma once

#include <vector>

#include "eval/agreement/agreement_suite.h"
#include "eval/report/table.h"

namespace rubric {

// To be read, metrics in the order of their agreement: correlations with their intervals; the
// corrected p of every pair of metrics, over all rows and in each group; Pearson's r by group;
// figures and means of systems. The notes (agreement_notes.h) stand below the first.
std::vector<Table> agreement_tables(const Agreement& agreement);

// To be computed with, a figure a row: metric; figure ("pearson", "spearman", "kendall",
// "difference" of Pearson's r between two metrics, "system_pearson" … "system_pairwise_accuracy",
// "system_mean"); group ("": all rows; of a mean the system); other (the second metric of a
// difference); value; the ends of its 95% interval; p and Holm's; n. Without notes.
Table agreement_figures(const Agreement& agreement);

}  // namespace rubric
