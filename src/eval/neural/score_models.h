// Scoring with models, on one process or on several that share the work.
#pragma once

#include <vector>

#include "distributed/ranks.h"
#include "eval/score/score.h"
#include "rubric/scoring.h"

namespace rubric::eval {

// As score_file_with_models(), in the caller's context, for a request that check_request() has
// checked. Collective: every rank calls it with the same request, rank 0 writes, and the others
// return nothing. Throws as that does.
std::vector<FileScore> score_on(const distributed::Ranks& ranks, const ScoreRequest& request,
                                const Scoring& scoring);

// The part of score_on() for rationales. Scores a window of rows at a time: only the ids of the
// file stay in memory, and a stopped call resumes after the rows already written. Every row is
// checked before the first is scored.
std::vector<FileScore> score_rationales(const distributed::Ranks& ranks,
                                        const ScoreRequest& request, const Scoring& scoring);

}  // namespace rubric::eval
