// Figure 2 of Chen et al. 2022.
#pragma once

#include <optional>
#include <vector>

#include "eval/picture.h"
#include "eval/rev_humans.h"
#include "eval/rev_suite.h"

namespace rubric {

// A picture for each metric that any kind has, and one of the humans' scores: the kinds' figures
// with their intervals.
std::vector<Plot> rev_plots(const RevEvaluation& evaluation,
                            const std::optional<RevHumans>& humans);

}  // namespace rubric
