// The results of `evaluate agreement` as tables, notes, JSON and plots.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/suite.h"
#include "eval/report/plots.h"
#include "eval/report/report.h"
#include "eval/report/table.h"

namespace rubric::eval {

// Tables to read, with metrics in the order of their agreement: correlations and pairwise accuracy
// with intervals; for labels of two values ROC AUC, accuracy, F1 and calibration error; the main
// ones of these by group; the corrected p of every pair of metrics, over all rows and in each
// group; system-level correlations and means of systems. agreement_notes() stand below the first.
std::vector<Table> agreement_tables(const Agreement& agreement);

// One table for programs, a value a row: metric; figure ("pearson", "spearman", "kendall",
// "pairwise_accuracy", "pairwise_epsilon"; with two labels "roc_auc", "accuracy", "f1", these two
// also with "_threshold", "_threshold_first_half" and "_threshold_second_half", where inf calls no
// row positive, and "ece"; "difference" of Pearson's r between two metrics, "system_pearson" …
// "system_pairwise_accuracy", "system_mean"); group ("": all rows; for a mean the system); other
// (the second metric of a difference); value (thresholds and epsilon exactly); its 95% interval; p
// and Holm's p; n; whether the two p are upper bounds. Without notes.
Table agreement_value_table(const Agreement& agreement);

// Notes.

// One sentence each on: the best metric and which others the tests do not distinguish from it; what
// is resampled, and which rows are taken as independent; the pairs behind pairwise accuracy; rows
// without a label; undefined correlations and why; halves of the questions without one of two
// labels; groups too small for a test; too few systems for correlations; means of metrics that have
// a corpus score.
std::vector<std::string> agreement_notes(const Agreement& agreement);

// "2 rows without a human label left out".
std::string unlabelled_note(int64_t rows);

// Says that the means of some of `metrics` are not what `score` gives over a file, because that is
// a corpus score (BLEU, chrF); "" if there is no such metric.
std::string row_means_note(std::span<const std::string> metrics);

// What the values for two labels are; empty where labels have more or fewer values.
std::vector<std::string> binary_notes(const Agreement& agreement);

// JSON.

// {"all": GROUP, "groups": {NAME: GROUP}, "labels": {"negative", "positive"}, "systems": {…},
// "exchanges": how many permutations each permutation test draws, "signature", "notes": [TEXT]},
// where GROUP is {"n", "questions", "pairs": {"n",
// "within_questions", "tied": the share with equal labels}, "positives", "metrics": {NAME:
// {"pearson": {"value", "ci95": [low, high]}, "spearman", "kendall", "pairwise_accuracy": {"value",
// "ci95", "epsilon"}, "roc_auc": {"value", "ci95"}, "accuracy": {"value", "ci95", "threshold",
// "half_thresholds": [first, second]}, "f1": likewise, "ece": {"value"}}}, "tests": [{"first",
// "second", "difference", "statistic", "p", "p_holm", "p_is_least", "p_holm_is_least": whether the
// two p are upper bounds}]}; "labels", "positives" and what follows "pairwise_accuracy" are there
// for labels of two values, where a null threshold beside a value calls no row positive;
// "exchanges" is there for permutation tests. "systems" is {"metrics": {NAME: {"pearson": {"value",
// "ci95"}, …, "pairwise_accuracy"}}, "systems": {NAME: {"n", "human", "means": {METRIC: x}}}}.
// Every pair of metrics has a test, in order. Undefined values are null; groups and systems are
// absent when rows name none. With `resampled` Pearson's r also has "resampled": {"value": [r of
// each resample]}.
Json to_json(const Agreement& agreement, bool resampled = false);

// Plots.

// Pearson's r with its intervals, by group if there are any; then a calibration plot of each
// metric, best first: rows as circles (whose area is their number), with the mean label and its 95%
// interval in each tenth of the rows by score. Points name their rows.
std::vector<Plot> agreement_plots(const Agreement& agreement, const data::ScoredRows& rows);

// The rows as a report shows them: id, texts, human label and scores. `rows` must outlive it.
ReportRows agreement_rows(const data::ScoredRows& rows);

}  // namespace rubric::eval
