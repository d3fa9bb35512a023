// Pictures of how metrics agree with human labels.
#pragma once

#include <vector>

#include "data/scored_files/scored_rows.h"
#include "eval/agreement/agreement_suite.h"
#include "eval/report/plots.h"

namespace rubric {

// Pearson's r with its intervals, by group where there are any; then for each metric, best first,
// the rows as circles (their area says how many lie there) with the mean label of each tenth of
// the rows by score, and its 95% interval: how well the metric is calibrated.
std::vector<Plot> agreement_plots(const Agreement& agreement, const ScoredRows& rows);

}  // namespace rubric
