// The figures of the MOCHA suite for other programs.
#pragma once

#include <span>

#include "core/json/json.h"
#include "eval/mocha/suite.h"

namespace rubric {

// {"constituents": {NAME: {"pearson", "spearman", "kendall", "n", "missing", "ci95": [low, high],
//                          "sources": {SOURCE: {"pearson", "spearman", "kendall", "n"}}}},
//  "average": {"pearson", "spearman", "kendall", "ci95"},
//  "minimal_pairs": {"constituents": {NAME: {"accuracy", "n", "missing"}}, "average"},
//  "signature", "notes": [TEXT]}, the last three where there are any. Figures that are undefined
//  are
// null, and so are accuracies where the metric did not score the pairs; the others are in [0, 1].
// Of several results {"metrics": {NAME: {…}}}. With `resampled` every "pearson" of a constituent or
// a source and every "accuracy" has beside it "resampled": {"pearson": [x, …]}, the figure of each
// bootstrap resample to six digits.
Json to_json(std::span<const MochaResult> results, bool resampled = false);

}  // namespace rubric
