// The results of the MOCHA suite as tables, notes, JSON and plots.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/mocha/suite.h"
#include "eval/report/plots.h"
#include "eval/report/report.h"
#include "eval/report/table.h"

namespace rubric::eval {

// Tables to read, with a column for each metric: Pearson's r with intervals and the accuracy on
// minimal pairs in percent; Spearman's rho; Kendall's tau; all three by the candidates' source if a
// constituent has several. mocha_notes() stand below the first.
std::vector<Table> mocha_tables(std::span<const MochaResult> results);

// One table for programs, a value a row: metric, figure ("pearson", "spearman", "kendall",
// "minimal_pairs"), constituent ("average" too), source ("": the whole constituent), value, its 95%
// interval, n. Empty if undefined, or for pairs that the metric did not score. Without notes.
Table mocha_value_table(std::span<const MochaResult> results);

// Notes.

// One sentence each on: missing predictions (how they count, and where), minimal pairs that the
// metric did not score, constituents whose correlation is undefined, and scores that belong to no
// instance.
std::vector<std::string> mocha_notes(const MochaResult& result);

// JSON.

// {"constituents": {NAME: {"pearson", "spearman", "kendall", "n", "missing", "ci95": [low, high],
// "sources": {SOURCE: {"pearson", "spearman", "kendall", "n"}}}}, "average": {"pearson",
// "spearman", "kendall", "ci95"}, "minimal_pairs": {"constituents": {NAME: {"accuracy", "n",
// "missing"}}, "average"}, "signature", "notes": [TEXT]}, the last three if there are any.
// Undefined values are null, and so are accuracies of pairs that the metric did not score;
// accuracies are in [0, 1]. For several results {"metrics": {NAME: {…}}}. With `resampled` every
// "pearson" of a constituent or a source and every "accuracy" also has "resampled": {"pearson": [x,
// …]}, the value in each bootstrap resample to six digits.
Json to_json(std::span<const MochaResult> results, bool resampled = false);

// Plots.

// Pearson's r with its interval, for every metric, in each constituent and on average. Points of a
// constituent name its answers.
std::vector<Plot> mocha_plots(std::span<const MochaResult> results,
                              std::span<const data::Answer> answers);

// The answers as a report shows them, with their human and predicted scores. `answers` must outlive
// it.
ReportRows mocha_rows(std::span<const data::Answer> answers,
                      std::span<const MochaPredictions> metrics);

}  // namespace rubric::eval
