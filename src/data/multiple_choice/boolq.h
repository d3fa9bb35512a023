// BoolQ (Clark et al. 2019): yes/no questions, one JSON object a line.
#pragma once

#include "data/multiple_choice/readers.h"

namespace rubric {

// A line is {question, passage, answer: true or false}, whatever else it has; blank lines are
// passed over. The answers are "yes" and "no". Throws InputError naming file and line.
ChoiceSet read_boolq(const std::filesystem::path& jsonl);

}  // namespace rubric
