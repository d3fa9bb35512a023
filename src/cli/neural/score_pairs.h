// score likelihood: rows of source and target.
#pragma once

#include <string>

#include "cli/score/score_command.h"
#include "distributed/ranks.h"

namespace rubric {

// Scores every row of the request by the likelihood that `model` gives its target, on all ranks
// together; rank 0 writes. Throws InputError as find_model(), read_whole_source_targets() and
// Likelihood do.
void score_pairs(const Ranks& ranks, const ScoreRequest& request, const std::string& model);

}  // namespace rubric
