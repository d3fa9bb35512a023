// What a reader of the REV suite's figures must know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/rev/human_agreement.h"
#include "eval/rev/rev_suite.h"

namespace rubric {

// How intervals are made, which rows are left out, what is undefined, seeds whose texts differ,
// baselines that were not made alike; judgements that tie, that do not count, or that are not of
// the same rows for every kind.
std::vector<std::string> rev_notes(const RevEvaluation& evaluation,
                                   const std::optional<RevHumans>& humans);

}  // namespace rubric
