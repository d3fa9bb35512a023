// The preference suite: which of two answers a judge prefers, and whether the order in which it
// sees them matters, from its ledger (Phatthiyaphaibun et al. 2024, section 5.3 and Table 6).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "judge/ledger/entry.h"
#include "judge/ledger/ledger.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// How often each Preference was given: a, b, tie.
struct PreferenceShares {
  std::array<int64_t, 3> counts{};
  std::array<std::optional<double>, 3> percent{};  // nothing when nothing is counted
  std::array<std::optional<stats::Interval>, 3> intervals{};

  int64_t n() const { return counts[0] + counts[1] + counts[2]; }
};

// Over the counted pairs, which are asked in both orders.
struct PositionBias {
  PreferenceShares shown;            // over the replies: a is the answer shown first, b the second
  std::optional<double> difference;  // share of the first minus share of the second, percent
  std::optional<stats::Interval> interval;
  // Pairs whose preference changes with the order.
  int64_t first_twice = 0, second_twice = 0, tie_once = 0;
};

struct PreferenceCase {
  std::string name, language;                 // "C vs CH", the ledger's system
  PreferenceShares preferred = {};            // over the counted pairs
  int64_t invalid = 0;                        // pairs with a reply without a preference
  int64_t incomplete = 0;                     // pairs that lack one of the orders
  std::optional<PositionBias> position = {};  // nothing if pairs are asked in one order
};

struct PreferenceEvaluation {
  std::vector<PreferenceCase> cases;     // in order of first appearance in the ledger
  std::optional<PositionBias> position;  // over all cases; nothing as above
  int64_t pairs = 0, questions = 0;      // counted, over all cases
  stats::BootstrapOptions bootstrap;
};

// Counts the pairs of a ledger in one `language` ("": all), each order by its last attempt. When a
// pair is asked in both orders, an answer is preferred if it is in both; else the pair is a tie. A
// ledger without any swapped orders comes from --one-order, and its replies count as they are;
// otherwise a pair without its second order is incomplete. Intervals are 95%, resampling questions
// (a passage and its question) with all their pairs. Throws InputError, naming `where`, as
// last_attempts() does, and when the two orders of a pair show different answers.
PreferenceEvaluation evaluate_preferences(std::span<const judge::LedgerEntry> entries,
                                          const std::string& language,
                                          const stats::BootstrapOptions& bootstrap,
                                          const std::string& where);

// The results of the preference suite as tables, notes and JSON.

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

// What the values depend on. `language`: that of the pairs; "": all.
std::string preference_signature(const judge::Ledger& ledger,
                                 const PreferenceEvaluation& evaluation,
                                 const std::string& language);

SuiteOutput preference_output(const PreferenceEvaluation& evaluation, const std::string& signature);

}  // namespace rubric::eval
