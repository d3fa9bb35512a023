// The results of the R4C suite as tables, JSON, notes, and alignments in text and as plots.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/r4c/suite.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {

// Percentages: the row of Table 3, named `name`; the rows of Table 2, by the number of references;
// and HotpotQA's scores if present.
std::vector<Table> r4c_tables(const R4cEvaluation& evaluation, const std::string& name);

// A value a row: references ("": as requested), scorer ("hotpotqa": HotpotQA's; "": counts),
// figure, value (a fraction).
Table r4c_value_table(const R4cEvaluation& evaluation);

// The official script's {"e", "r", "er": {"prec", "recall", "f1"}} as fractions, with "n",
// "missing", "extra", "by_references": {N: the same three}, "hotpotqa": the keys of HotpotQA's
// script, "notes", "signature".
Json to_json(const R4cEvaluation& evaluation);

// One question: {"id", "scores": {"e", "r", "er": {"prec", "recall", "f1", "reference": its number
// in the gold file, "reference_steps", "aligned": [{"candidate", "reference", "similarity"}, …]}},
// "candidate", "hotpotqa": the keys of HotpotQA's script}. References and steps are numbered from
// 0; derivations are as in R4C's files.
Json to_json(const R4cQuestion& question);

// Notes on missing and extra predictions and missing answers.
std::vector<std::string> r4c_notes(const R4cEvaluation& evaluation);

// "[head] relation [tail]".
std::string step_text(const data::DerivationStep& step);

// "ID, er (Full), reference 1 of 3: P/R/F 50.00/40.00/44.44".
std::string alignment_title(const R4cQuestion& question, size_t scorer);

// Figure 2 as text, a table for each scorer: the aligned steps side by side with their similarity,
// then unaligned steps.
std::vector<Table> alignment_tables(const R4cQuestion& question);

// The same as one table: scorer, reference (from 1), the derivation's step, similarity, the
// reference's step; "" for an unaligned step.
Table alignment_value_table(const R4cQuestion& question);

// Plots.

// One alignment like Figure 2 (Inoue et al. 2020), by scorer number `scorer` of kStepScorers: the
// derivation's steps in boxes on the left, those of the best reference on the right, and a line
// with the similarity between aligned steps.
Plot alignment_plot(const R4cQuestion& question, size_t scorer);

}  // namespace rubric::eval
