// The form in which REV's authors published what task models wrote.
#pragma once

#include <string>

#include "core/json/json.h"
#include "data/rationales/task_outputs_part.h"

namespace rubric {

// Whether it is {"input", "gold", "predictions"} and no rationale row.
bool is_published_output(const Json& row);

// As a rationale row: "id", what "input" says ("[question] … [choice] … [answer]", or "[premise] …
// [hypothesis] … [answer]"), "choices", "gold", and the first prediction as "generated". Throws
// InputError for an input without these parts and for a row without a prediction.
Json published_output_row(const Json& row, const std::string& id, OutputKind kind,
                          const std::string& where);

}  // namespace rubric
