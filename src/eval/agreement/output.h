// The results of `evaluate agreement` as tables, notes, JSON and plots.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/suite.h"
#include "eval/report/plots.h"
#include "eval/report/report.h"
#include "eval/report/table.h"

namespace rubric::eval {

// Tables to read, with metrics in the order of their agreement: correlations with intervals; the
// corrected p of every pair of metrics, over all rows and in each group; Pearson's r by group;
// system-level correlations and means of systems. agreement_notes() stand below the first.
std::vector<Table> agreement_tables(const Agreement& agreement);

// One table for programs, a value a row: metric; figure ("pearson", "spearman", "kendall",
// "difference" of Pearson's r between two metrics, "system_pearson" … "system_pairwise_accuracy",
// "system_mean"); group ("": all rows; for a mean the system); other (the second metric of a
// difference); value; its 95% interval; p and Holm's p; n. Without notes.
Table agreement_value_table(const Agreement& agreement);

// Notes.

// One sentence each on: the best metric and which others the tests do not distinguish from it; rows
// without a label; undefined correlations and why; groups too small for a test; too few systems for
// correlations.
std::vector<std::string> agreement_notes(const Agreement& agreement);

// JSON.

// {"all": GROUP, "groups": {NAME: GROUP}, "systems": {…}, "signature", "notes": [TEXT]}, where
// GROUP is {"n", "questions", "metrics": {NAME: {"pearson": {"value", "ci95": [low, high]},
// "spearman", "kendall"}}, "tests": [{"first", "second", "difference", "statistic", "p",
// "p_holm"}]} and systems {"metrics": {NAME: {"pearson": {"value", "ci95"}, …,
// "pairwise_accuracy"}}, "systems": {NAME: {"n", "human", "means": {METRIC: x}}}}. Every pair of
// metrics has a test, in order. Undefined values are null; groups and systems are absent when rows
// name none. With `resampled` Pearson's r also has "resampled": {"value": [r of each resample]}.
Json to_json(const Agreement& agreement, bool resampled = false);

// Plots.

// Pearson's r with its intervals, by group if there are any; then a calibration plot of each
// metric, best first: rows as circles (whose area is their number), with the mean label and its 95%
// interval in each tenth of the rows by score. Points name their rows.
std::vector<Plot> agreement_plots(const Agreement& agreement, const data::ScoredRows& rows);

// The rows as a report shows them: id, texts, human label and scores. `rows` must outlive it.
ReportRows agreement_rows(const data::ScoredRows& rows);

}  // namespace rubric::eval
