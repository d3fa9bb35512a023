// The figures of `evaluate agreement` as tables.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/suite.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {

// To be read, metrics in the order of their agreement: correlations with their intervals; the
// corrected p of every pair of metrics, over all rows and in each group; Pearson's r by group;
// figures and means of systems. The notes (agreement_notes.h) stand below the first.
std::vector<Table> agreement_tables(const Agreement& agreement);

// To be computed with, a figure a row: metric; figure ("pearson", "spearman", "kendall",
// "difference" of Pearson's r between two metrics, "system_pearson" … "system_pairwise_accuracy",
// "system_mean"); group ("": all rows; of a mean the system); other (the second metric of a
// difference); value; the ends of its 95% interval; p and Holm's; n. Without notes.
Table agreement_value_table(const Agreement& agreement);

// What a reader must know beside the figures of `evaluate agreement`.

// A sentence each: the best metric and which others the tests do not tell apart from it; rows
// without a label; where correlations are undefined, and why; groups too small for a test; systems
// too few for figures.
std::vector<std::string> agreement_notes(const Agreement& agreement);

// The figures of `evaluate agreement` for other programs.

// {"all": GROUP, "groups": {NAME: GROUP}, "systems": {…}, "signature", "notes": [TEXT]}, where
// GROUP is {"n", "questions", "metrics": {NAME: {"pearson": {"value", "ci95": [low, high]},
// "spearman", "kendall"}}, "tests": [{"first", "second", "difference", "statistic", "p",
// "p_holm"}]} and systems {"metrics": {NAME: {"pearson": {"value", "ci95"}, …,
// "pairwise_accuracy"}}, "systems": {NAME: {"n", "human", "means": {METRIC: x}}}}. All pairs
// of metrics have a test, in their order. Undefined figures are null; groups and systems are absent
// where rows name none. With `resampled` Pearson's r has "resampled": {"value": [that of each
// resample]} too.
Json to_json(const Agreement& agreement, bool resampled = false);

// Pictures of how metrics agree with human labels.

// Pearson's r with its intervals, by group where there are any; then for each metric, best first,
// the rows as circles (their area says how many lie there) with the mean label of each tenth of
// the rows by score, and its 95% interval: how well the metric is calibrated.
std::vector<Plot> agreement_plots(const Agreement& agreement, const data::ScoredRows& rows);

}  // namespace rubric::eval
