// The figures of the REV suite, to be read.
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

// With so many decimals; with two digits and an exponent where those would show 0 for what is not.
std::string rev_text(double value, int decimals);

// REV, LAS and RQ by kind; what is behind them; and with humans their scores beside the kinds'
// ranks by each metric, and how well each metric agrees with them.
std::vector<Table> rev_tables(const RevEvaluation& evaluation,
                              const std::optional<RevHumans>& humans);

// Rationales one by one, as in Table 5 of Chen et al. 2022.

// The rows' places in their files: the first `count`, then those of `ids`, each once. Throws
// InputError for an id that there is not.
std::vector<size_t> choose_rows(std::span<const data::ScoredRationale> rows, int64_t count,
                                std::span<const std::string> ids);

// A line for each kind, seed and chosen row: kind, seed, id, question, label (with the gold one
// where it is another), rationale, and the three figures.
Table rev_row_table(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                    std::span<const size_t> chosen);

// {KIND: [{"seed", "id", "question" or "premise" and "hypothesis", "label", "gold", "rationale",
// "rev", "las", "rq"}, …]}; figures that are not scored are null.
Json rev_row_json(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                  std::span<const size_t> chosen);

// What a reader of the REV suite's figures must know.

// How intervals are made, which rows are left out, what is undefined, seeds whose texts differ,
// baselines that were not made alike; judgements that tie, that do not count, or that are not of
// the same rows for every kind.
std::vector<std::string> rev_notes(const RevEvaluation& evaluation,
                                   const std::optional<RevHumans>& humans);

// The figures of the REV suite for other programs.

// {"kinds": {KIND: {"rev", "las", "rq", "n", "ci95": {"rev": [low, high], "las", "rq"}, "seeds":
// how many, "by_seed": {"rev": [x, …], "las", "rq"}, "left_out": rows of each seed's file,
// "baselines": {MAKER: rows}, and rev_details'}}, "human": {"kinds": {KIND:
// {"score", "ci95", "justified", "n"}}, "ranks": {"human", "rev", "las", "rq": {KIND: rank}},
// "agreement": {"rev", "las", "rq": {"kinds": {"spearman", "kendall", "pairwise_accuracy":
// {"value", "ci95"}}, "rationales": {"n", "spearman", "kendall"}}}}, "notes"}; what is not scored
// or undefined is null, "human" stands there with judgements alone. `resampled` adds each kind's
// figures of each resample (add_resampled).
Json to_json(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans,
             bool resampled);

// A figure a row: kind, figure, value, low, high; with judgements also "human_score" and
// "human_justified", and of kind "" each metric's agreement: "rev_kinds_kendall", ….
Table rev_value_table(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans);

// Figure 2 of Chen et al. 2022.

// A picture for each metric that any kind has, and one of the humans' scores: the kinds' figures
// with their intervals.
std::vector<Plot> rev_plots(const RevEvaluation& evaluation,
                            const std::optional<RevHumans>& humans);

}  // namespace rubric::eval
