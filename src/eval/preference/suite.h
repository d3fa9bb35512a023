// Which of two answers a judge prefers, and whether the order in which it sees them matters, from
// its ledger (Phatthiyaphaibun et al. 2024, section 5.3 and Table 6).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/ledger/entry.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// How often each Preference was given: for a, for b, tie.
struct PreferenceShares {
  std::array<int64_t, 3> counts{};
  std::array<std::optional<double>, 3> percent{};  // nothing where nothing is counted
  std::array<std::optional<stats::Interval>, 3> intervals{};

  int64_t n() const { return counts[0] + counts[1] + counts[2]; }
};

// Of the pairs that count, which are asked in both orders.
struct PositionBias {
  PreferenceShares shown;            // of the replies; a is the answer shown first, b the second
  std::optional<double> difference;  // the first's share less the second's, percent
  std::optional<stats::Interval> interval;
  // Pairs of which the preference changes with the order.
  int64_t first_twice = 0, second_twice = 0, tie_once = 0;
};

struct PreferenceCase {
  std::string name, language;                 // "C vs CH", the ledger's system
  PreferenceShares preferred = {};            // of the pairs that count
  int64_t invalid = 0;                        // pairs with a reply that holds no preference
  int64_t incomplete = 0;                     // pairs that lack one of the orders
  std::optional<PositionBias> position = {};  // nothing where the pairs are asked in one order
};

struct PreferenceEvaluation {
  std::vector<PreferenceCase> cases;     // in the order in which the ledger first has them
  std::optional<PositionBias> position;  // over all cases; nothing as there
  int64_t pairs = 0, questions = 0;      // that count, over all cases
  stats::BootstrapOptions bootstrap;
};

// Counts the pairs of a ledger, of one `language` ("": of all), each order by its last attempt.
// Where a pair is asked in both orders, an answer is preferred that is so in both; all else is a
// tie. A ledger without swapped orders is one of --one-order, whose replies count as they are; in
// any other a pair without its second order is incomplete. Intervals are 95%; questions (a passage
// and what is asked of it) are resampled, with all pairs of each. Throws InputError, naming
// `where`, as last_attempts() does, and where the orders of a pair are of other answers.
PreferenceEvaluation evaluate_preferences(std::span<const judge::LedgerEntry> entries,
                                          const std::string& language,
                                          const stats::BootstrapOptions& bootstrap,
                                          const std::string& where);

}  // namespace rubric::eval
