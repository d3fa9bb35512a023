// The figures of the MOCHA suite as pictures.
#pragma once

#include <span>
#include <vector>

#include "eval/mocha/suite.h"
#include "eval/report/plots.h"

namespace rubric {

// Pearson's r with its interval, of every metric in each constituent and on average.
std::vector<Plot> mocha_plots(std::span<const MochaResult> results);

}  // namespace rubric
