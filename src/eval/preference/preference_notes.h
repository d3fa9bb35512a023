// What a reader of the preferences' figures must know.
#pragma once

#include <string>
#include <vector>

#include "eval/preference/suite.h"

namespace rubric {

// Of each table, then of all: what its figures are, and what is left out of them.
std::vector<std::string> case_notes(const PreferenceEvaluation& evaluation);
std::vector<std::string> position_notes();
std::vector<std::string> preference_notes(const PreferenceEvaluation& evaluation);

}  // namespace rubric
