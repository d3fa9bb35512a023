// Preferences between two answers, for other programs.
#pragma once

#include "core/json/json.h"
#include "eval/preference/suite.h"
#include "eval/report/table.h"

namespace rubric {

// {"cases": {NAME: {"A", "B", "Tie", "n", "invalid", "incomplete", "percent": {"A", "B", "Tie"},
// "ci95": {"A": [low, high], "B", "Tie"}, "position", "language"}}, "position", "notes"}. A
// position is {"first", "second", "tie", "n", "percent": {"first", "second", "tie"}, "difference",
// "ci95": {"first", "second", "tie", "difference"}, "changed": {"first_twice", "second_twice",
// "tie_once"}}, or null where pairs are asked in one order; its n are replies, two a pair. Null is
// also a percentage of nothing.
Json to_json(const PreferenceEvaluation& evaluation);

// A figure a row: name, figure, value, low, high: "A", "A_percent", …, "position_first_percent",
// "position_difference", …; without a name the position over all cases.
Table preference_figure_list(const PreferenceEvaluation& evaluation);

}  // namespace rubric
