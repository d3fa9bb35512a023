// Questions whose choices have letters, in AI2's form: CommonsenseQA's and QuaRTz's.
#pragma once

#include <string>

#include "core/json/json.h"
#include "data/rationales/readers.h"

namespace rubric {

// {"id", "question": {"stem", "choices": [{"label", "text"}, …]}, "answerKey"} without a rationale
// yet. A key that is missing or no choice's, and two choices with one letter, are the example's
// problem. Throws InputError with `where` for what has another form.
FoundRationale keyed_question(const Json& row, const std::string& where);

}  // namespace rubric
