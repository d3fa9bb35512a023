// The figures of the REV suite for other programs.
#pragma once

#include <optional>

#include "core/json/json.h"
#include "eval/rev/human_agreement.h"
#include "eval/rev/rev_suite.h"
#include "eval/report/table.h"

namespace rubric {

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
Table rev_figure_list(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans);

}  // namespace rubric
