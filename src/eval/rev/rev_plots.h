// Figure 2 of Chen et al. 2022.
#pragma once

#include <optional>
#include <vector>

#include "eval/report/plots.h"
#include "eval/rev/human_agreement.h"
#include "eval/rev/rev_suite.h"

namespace rubric {

// A picture for each metric that any kind has, and one of the humans' scores: the kinds' figures
// with their intervals.
std::vector<Plot> rev_plots(const RevEvaluation& evaluation,
                            const std::optional<RevHumans>& humans);

}  // namespace rubric
