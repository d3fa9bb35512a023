// What a reader must know beside the figures of the MOCHA suite.
#pragma once

#include <string>
#include <vector>

#include "eval/mocha/suite.h"

namespace rubric {

// A sentence each on predictions that are missing (how they count, and where), minimal pairs that
// the metric did not score, constituents whose correlation is undefined, and scores that belong to
// no instance; none when all is well.
std::vector<std::string> mocha_notes(const MochaResult& result);

}  // namespace rubric
