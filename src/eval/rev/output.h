// The results of the REV suite as tables, single rows, notes, JSON and plots.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"
#include "eval/rev/human_agreement.h"
#include "eval/rev/suite.h"

namespace rubric::eval {

inline constexpr const char* kNotScored = "not scored";

// Formats with `decimals` decimals, or with two digits and an exponent when those would show a
// nonzero value as 0.
std::string rev_text(double value, int decimals);

// Tables: REV, LAS and RQ by kind; their details; and with human judgements their scores, the
// kinds' ranks by each metric, and each metric's agreement with them.
std::vector<Table> rev_tables(const RevEvaluation& evaluation,
                              const std::optional<RevHumans>& humans);

// Single rationales, as in Table 5 of Chen et al. 2022.

// The indices of the rows to show: the first `count`, then those of `ids`, each once. Throws
// InputError for an unknown id.
std::vector<size_t> choose_rows(std::span<const data::ScoredRationale> rows, int64_t count,
                                std::span<const std::string> ids);

// A row for each kind, seed and chosen row: kind, seed, id, question, label (with the gold one if
// different), rationale, and the three metrics.
Table rev_row_table(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                    std::span<const size_t> chosen);

// {KIND: [{"seed", "id", "question" or "premise" and "hypothesis", "label", "gold", "rationale",
// "rev", "las", "rq"}, …]}; values that are not scored are null.
Json rev_row_json(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                  std::span<const size_t> chosen);

// Notes.

// How intervals are computed, rows left out, undefined values, seeds whose texts differ, baselines
// made in different ways; judgements that tie, are ignored, or are not of the same rows for every
// kind.
std::vector<std::string> rev_notes(const RevEvaluation& evaluation,
                                   const std::optional<RevHumans>& humans);

// JSON.

// {"kinds": {KIND: {"rev", "las", "rq", "n", "ci95": {"rev": [low, high], "las", "rq"}, "seeds":
// how many, "by_seed": {"rev": [x, …], "las", "rq"}, "left_out": rows of each seed's file,
// "baselines": {MAKER: rows}, and rev_details'}}, "human": {"kinds": {KIND:
// {"score", "ci95", "justified", "n"}}, "ranks": {"human", "rev", "las", "rq": {KIND: rank}},
// "agreement": {"rev", "las", "rq": {"kinds": {"spearman", "kendall", "pairwise_accuracy":
// {"value", "ci95"}}, "rationales": {"n", "spearman", "kendall"}}}}, "notes"}; what is not scored
// or undefined is null, and "human" is present only with judgements. `resampled` adds each kind's
// values in each resample (add_resampled).
Json to_json(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans,
             bool resampled);

// A value a row: kind, figure, value, low, high; with judgements also "human_score" and
// "human_justified", and for kind "" each metric's agreement: "rev_kinds_kendall", ….
Table rev_value_table(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans);

// Plots, as in Figure 2 of Chen et al. 2022.

// A plot for each metric that any kind has, and one of the human scores: the kinds' values with
// their intervals.
std::vector<Plot> rev_plots(const RevEvaluation& evaluation,
                            const std::optional<RevHumans>& humans);

}  // namespace rubric::eval
