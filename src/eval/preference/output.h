// Preferences between two answers, to be read.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/preference/suite.h"
#include "eval/report/table.h"

namespace rubric::eval {

// The cases (Table 6) and, where pairs are asked in both orders, the bias for a position.
std::vector<Table> preference_tables(const PreferenceEvaluation& evaluation);

// What a reader of the preferences' figures must know.

// Of each table, then of all: what its figures are, and what is left out of them.
std::vector<std::string> case_notes(const PreferenceEvaluation& evaluation);
std::vector<std::string> position_notes();
std::vector<std::string> preference_notes(const PreferenceEvaluation& evaluation);

// Preferences between two answers, for other programs.

// {"cases": {NAME: {"A", "B", "Tie", "n", "invalid", "incomplete", "percent": {"A", "B", "Tie"},
// "ci95": {"A": [low, high], "B", "Tie"}, "position", "language"}}, "position", "notes"}. A
// position is {"first", "second", "tie", "n", "percent": {"first", "second", "tie"}, "difference",
// "ci95": {"first", "second", "tie", "difference"}, "changed": {"first_twice", "second_twice",
// "tie_once"}}, or null where pairs are asked in one order; its n are replies, two a pair. Null is
// also a percentage of nothing.
Json to_json(const PreferenceEvaluation& evaluation);

// A figure a row: name, figure, value, low, high: "A", "A_percent", …, "position_first_percent",
// "position_difference", …; without a name the position over all cases.
Table preference_value_table(const PreferenceEvaluation& evaluation);

}  // namespace rubric::eval
