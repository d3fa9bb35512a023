// Scoring a file of rationales.
#pragma once

#include <vector>

#include "distributed/ranks.h"
#include "library/scoring.h"

namespace rubric::library {

// Scores a window of rows at a time: only the ids of the file stay in memory, and a stopped call
// resumes after the rows already written. Every row is checked before the first is scored. The
// ranks share the work of a window, and rank 0 writes; the others return nothing.
std::vector<ScoreMean> score_rationales(const distributed::Ranks& ranks,
                                        const ScoreRequest& request, const Scoring& scoring);

}  // namespace rubric::library
