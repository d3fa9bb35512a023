// Preferences between two answers, to be read.
#pragma once

#include <vector>

#include "eval/preference/suite.h"
#include "eval/report/table.h"

namespace rubric {

// The cases (Table 6) and, where pairs are asked in both orders, the bias for a position.
std::vector<Table> preference_tables(const PreferenceEvaluation& evaluation);

}  // namespace rubric
