// What a rationale row's vacuous rationale is made from.
#pragma once

#include <string>

#include "core/json/json.h"

namespace rubric {

// Which label is given to what.
struct LabelledInput {
  std::string question;             // of question answering
  std::string premise, hypothesis;  // of natural language inference, where the question is ""
  std::string label;
};

// Of a row's `question`, or `premise` and `hypothesis`, and `label`, without the blanks around
// them. Throws InputError for a missing or empty one, and for a row with both kinds.
LabelledInput labelled_input(const Json& row, const std::string& where);

}  // namespace rubric
