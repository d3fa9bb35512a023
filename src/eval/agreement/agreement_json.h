// The figures of `evaluate agreement` for other programs.
#pragma once

#include "core/json/json.h"
#include "eval/agreement/agreement_suite.h"

namespace rubric {

// {"all": GROUP, "groups": {NAME: GROUP}, "systems": {…}, "signature", "notes": [TEXT]}, where
// GROUP is {"n", "questions", "metrics": {NAME: {"pearson": {"value", "ci95": [low, high]},
// "spearman", "kendall"}}, "tests": [{"first", "second", "difference", "statistic", "p",
// "p_holm"}]} and systems {"metrics": {NAME: {"pearson": {"value", "ci95"}, …,
// "pairwise_accuracy"}}, "systems": {NAME: {"n", "human", "means": {METRIC: x}}}}. All pairs
// of metrics have a test, in their order. Undefined figures are null; groups and systems are absent
// where rows name none. With `resampled` Pearson's r has "resampled": {"value": [that of each
// resample]} too.
Json to_json(const Agreement& agreement, bool resampled = false);

}  // namespace rubric
