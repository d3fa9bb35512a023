// The figures of the MOCHA suite as tables.
#pragma once

#include <span>
#include <vector>

#include "eval/mocha/suite.h"
#include "eval/report/table.h"

namespace rubric {

// To be read, with a column for each metric: Pearson's r with its intervals and the pairs' accuracy
// in percent; Spearman's rho; Kendall's tau; all three by the candidates' source where a
// constituent has several. The notes (mocha_notes.h) stand below the first.
std::vector<Table> mocha_tables(std::span<const MochaResult> results);

// To be computed with, a figure a row: metric, figure ("pearson", "spearman", "kendall",
// "minimal_pairs"), constituent ("average" too), source ("": all of the constituent), value, the
// ends of its 95% interval, n. Empty where there is none: the value of pairs that the metric did
// not score, too. Without notes.
Table mocha_figures(std::span<const MochaResult> results);

}  // namespace rubric
