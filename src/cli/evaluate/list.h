// The suites of `evaluate`.
#pragma once

#include "cli/command.h"
#include "cli/evaluate/chie.h"
#include "cli/evaluate/coverage.h"
#include "cli/evaluate/gaps.h"
#include "cli/evaluate/mocha.h"
#include "cli/evaluate/preference.h"
#include "cli/evaluate/r4c.h"
#include "cli/evaluate/rev.h"
#include "rubric/agreement.h"

namespace rubric::cli {

inline constexpr Command kAgreementSuite = {
    .name = "agreement",
    .parent = "evaluate",
    .summary = "which of several metrics agrees best with human labels, on your own rows",
    .make_call = config::make_call<AgreementRequest, evaluate_agreement>};

// A new suite is a line here, and files of its own.
// clang-format off
inline constexpr const Command* kSuites[] = {
    &kMochaSuite,
    &kAgreementSuite,
    &kR4cSuite,
    &kRevSuite,
    &kChieSuite,
    &kPreferenceSuite,
    &kGapsSuite,
    &kCoverageSuite,
};
// clang-format on
static_assert(have_unique_names(kSuites));

inline constexpr Command kEvaluate = {.name = "evaluate",
                                      .summary = "compares metrics with human judgements",
                                      .is_step = true,
                                      .has_link = true,
                                      .parts = kSuites,
                                      .part_name = "suite"};

}  // namespace rubric::cli
