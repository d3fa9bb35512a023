// `score rev`.
#pragma once

#include <string>

#include "cli/shared/score_command.h"
#include "distributed/ranks.h"

namespace rubric::cli {

// Scores a file of rationales, a window of rows at a time: only the ids of the file stay in memory,
// and a stopped call resumes after the rows already written. Every row is checked before the first
// is scored. The ranks share the work of a window, and rank 0 writes.
void score_rationales(const distributed::Ranks& ranks, const ScoreRequest& request,
                      const std::string& model);

}  // namespace rubric::cli
