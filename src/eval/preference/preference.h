// The preference suite: which of two answers a judge prefers, and whether the order in which it
// sees them matters, from its ledger (Phatthiyaphaibun et al. 2024, section 5.3 and Table 6).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/ledger/entry.h"
#include "judge/ledger/ledger.h"
#include "rubric/context.h"
#include "rubric/judge_choice.h"
#include "rubric/result.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// How often each Preference was given: a, b, tie.
struct PreferenceShares {
  std::array<int64_t, 3> counts{};
  std::array<std::optional<double>, 3> shares{};  // nothing when nothing is counted
  std::array<std::optional<stats::Interval>, 3> intervals{};

  int64_t n() const { return counts[0] + counts[1] + counts[2]; }
};

// Over the counted pairs, which are asked in both orders.
struct PositionBias {
  PreferenceShares shown;            // over the replies: a is the answer shown first, b the second
  std::optional<double> difference;  // share of the first minus share of the second
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

// What the values depend on. `language`: that of the pairs; "": all.
std::string preference_signature(const judge::Ledger& ledger,
                                 const PreferenceEvaluation& evaluation,
                                 const std::string& language);

// The cases (Table 6) and, if pairs are asked in both orders, the position bias.
// docs/results_format.md has the measurements.
Result preference_result(const PreferenceEvaluation& evaluation);

struct PreferenceRequest {
  std::filesystem::path ledger;
  JudgeChoice judge;
  std::string language;  // "": all
  stats::BootstrapOptions bootstrap;

  void visit_fields(auto& field) {
    field("ledger", ledger, "the judge's replies").input().required();
    judge.visit_ledger_fields(field);
    field("language", language, "only the pairs in this language").named("CODE");
    bootstrap.visit_fields(field);
  }
};

// All of it, from a ledger. Throws InputError as the functions above do.
Result evaluate_preference_file(const PreferenceRequest& request, const Context& context = {});

}  // namespace rubric::eval
