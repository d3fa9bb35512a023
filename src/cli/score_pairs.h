// score likelihood: rows of source and target.
#pragma once

#include <string>

#include "cli/score_command.h"

namespace rubric {

// Scores every row of the request by the likelihood that `model` gives its target. Throws
// InputError as find_model(), read_whole_source_targets() and Likelihood do.
void score_pairs(const ScoreRequest& request, const std::string& model);

}  // namespace rubric
