// The results of `compare` as tables, JSON and a report.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/compare/compare.h"
#include "eval/report/report.h"
#include "eval/report/table.h"

namespace rubric::eval {

std::string pair_name(const SystemComparison& comparison, const Comparison& pair);  // "a – b"

// Tables to read: means of all metrics, then all comparisons, each over all records and by group.
// Notes below the first say which system each metric puts first and which others the permutation
// test does not tell apart from it.
std::vector<Table> comparison_tables(const SystemComparison& comparison);

// For each two systems that differ anywhere, the rows on which they differ most, with texts of at
// most `longest` characters. Texts that no row has get no column.
std::vector<Table> differing_tables(const SystemComparison& comparison, size_t longest);

// A value a row: metric; system; figure ("mean", "difference"); group ("": all records); other (the
// second system of a difference); value; its 95% interval; p_bootstrap, p_bootstrap_holm,
// p_permutation, p_permutation_holm; n; wins, ties, losses; and for each p whether it is an upper
// bound: p_bootstrap_is_least, ….
Table comparison_value_table(const SystemComparison& comparison);

// RESULTS with "metric" for one metric, {"metrics": {NAME: RESULTS}} for several, where RESULTS is
// {"n", "questions", "systems": {NAME: {"mean", "ci95"}}, "comparisons": [{"first", "second",
// "difference", "ci95", "p_bootstrap", "p_bootstrap_holm", "p_permutation", "p_permutation_holm",
// "p_bootstrap_is_least", "p_bootstrap_holm_is_least", "p_permutation_is_least",
// "p_permutation_holm_is_least", "wins", "ties", "losses"}], "groups": {NAME: {"n", "questions",
// "systems", "comparisons"}}}. Beside that "differing": [{"metric", "first", "second", "rows":
// [{"group", "constituent", "id", "question", "reference", "first_candidate", "second_candidate",
// "first_score", "second_score"}]}], "exchanges" (the number of permutations that each permutation
// test of more than 20 questions draws), "signature", "note". Groups, "differing", "signature" and
// "note" are there where there are any, and so are the texts of a row.
Json to_json(const SystemComparison& comparison);

// Which system is best by each metric; means, differences, wins, ties and losses, as tables and
// pictures; the rows that differ most.
Report comparison_report(const SystemComparison& comparison);

}  // namespace rubric::eval
