// What a reader must know beside the figures of `evaluate agreement`.
#pragma once

#include <string>
#include <vector>

#include "eval/agreement/agreement_suite.h"

namespace rubric {

// A sentence each: the best metric and which others the tests do not tell apart from it; rows
// without a label; where correlations are undefined, and why; groups too small for a test; systems
// too few for figures.
std::vector<std::string> agreement_notes(const Agreement& agreement);

}  // namespace rubric
