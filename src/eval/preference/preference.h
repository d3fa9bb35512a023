// The preference suite: which of two answers a judge prefers, and whether the order in which it
// sees them matters, from its ledger (Phatthiyaphaibun et al. 2024, section 5.3 and Table 6).
#pragma once

#include <cstdint>
#include <filesystem>
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

// Counts the pairs of a ledger in one `language` ("": all), each order by its last attempt. When a
// pair is asked in both orders, an answer is preferred if it is in both; else the pair is a tie. A
// ledger without any swapped orders comes from --one-order, and its replies count as they are;
// otherwise a pair without its second order is incomplete. Intervals are 95%, resampling questions
// (a passage and its question) with all their pairs. Throws InputError, naming `where`, as
// last_attempts() does, and when the two orders of a pair show different answers. The result has
// the cases (Table 6) and, if pairs are asked in both orders, the position bias;
// docs/results_format.md has the measurements.
Result evaluate_preferences(std::span<const judge::LedgerEntry> entries,
                            const std::string& language, const stats::BootstrapOptions& bootstrap,
                            const std::string& where);

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
