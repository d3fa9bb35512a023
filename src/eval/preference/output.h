// The results of the preference suite as tables, notes and JSON.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/preference/suite.h"
#include "eval/report/table.h"

namespace rubric::eval {

// The cases (Table 6) and, if pairs are asked in both orders, the position bias.
std::vector<Table> preference_tables(const PreferenceEvaluation& evaluation);

// Notes.

// For each table, then overall: what the values are, and what is left out.
std::vector<std::string> case_notes(const PreferenceEvaluation& evaluation);
std::vector<std::string> position_notes();
std::vector<std::string> preference_notes(const PreferenceEvaluation& evaluation);

// JSON.

// {"cases": {NAME: {"A", "B", "Tie", "n", "invalid", "incomplete", "percent": {"A", "B", "Tie"},
// "ci95": {"A": [low, high], "B", "Tie"}, "position", "language"}}, "position", "notes"}. A
// position is {"first", "second", "tie", "n", "percent": {"first", "second", "tie"}, "difference",
// "ci95": {"first", "second", "tie", "difference"}, "changed": {"first_twice", "second_twice",
// "tie_once"}}, or null where pairs are asked in one order; its n are replies, two a pair. Null is
// also a percentage of nothing.
Json to_json(const PreferenceEvaluation& evaluation);

// A value a row: name, figure, value, low, high: "A", "A_percent", …, "position_first_percent",
// "position_difference", …; without a name the position bias over all cases.
Table preference_value_table(const PreferenceEvaluation& evaluation);

}  // namespace rubric::eval
