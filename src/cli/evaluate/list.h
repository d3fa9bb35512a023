// The suites of `evaluate`.
#pragma once

#include "cli/command.h"
#include "eval/agreement/gaps.h"
#include "eval/chie/chie.h"
#include "eval/estimate/coverage.h"
#include "eval/mocha/mocha.h"
#include "eval/preference/preference.h"
#include "eval/r4c/r4c.h"
#include "eval/rev/rev.h"
#include "rubric/agreement.h"

namespace rubric::cli {

inline constexpr Command kMochaSuite = {
    .name = "mocha",
    .parent = "evaluate",
    .summary = "correlation with MOCHA's judgements of answers, accuracy on minimal pairs",
    .make_call = config::make_call<eval::MochaRequest, eval::evaluate_mocha_files>};
inline constexpr Command kAgreementSuite = {
    .name = "agreement",
    .parent = "evaluate",
    .summary = "which of several metrics agrees best with human labels, on your own rows",
    .make_call = config::make_call<AgreementRequest, evaluate_agreement>};
inline constexpr Command kR4cSuite = {
    .name = "r4c",
    .parent = "evaluate",
    .summary = "derivations against reference derivations, as R4C aligns them",
    .make_call = config::make_call<eval::R4cRequest, eval::evaluate_r4c_request>};
inline constexpr Command kRevSuite = {
    .name = "rev",
    .parent = "evaluate",
    .summary = "kinds of free-text rationales compared by REV, LAS and RQ",
    .make_call = config::make_call<eval::RevRequest, eval::evaluate_rev_files>};
inline constexpr Command kChieSuite = {
    .name = "chie",
    .parent = "evaluate",
    .summary = "systems by the four aspects of CHIE, from a judge's ledger",
    .make_call = config::make_call<eval::ChieRequest, eval::evaluate_chie_files>};
inline constexpr Command kPreferenceSuite = {
    .name = "preference",
    .parent = "evaluate",
    .summary = "which of two answers a judge prefers, and whether their order matters",
    .make_call = config::make_call<eval::PreferenceRequest, eval::evaluate_preference_file>};
inline constexpr Command kGapsSuite = {
    .name = "gaps",
    .parent = "evaluate",
    .summary = "the rows on which a metric errs most, for error analysis, and its tally",
    .make_call = config::make_call<eval::GapsRequest, eval::evaluate_gaps>};
inline constexpr Command kCoverageSuite = {
    .name = "coverage",
    .parent = "evaluate",
    .summary = "how often the intervals of `estimate` hold the truth, over many draws of labels",
    .make_call = config::make_call<eval::CoverageRequest, eval::evaluate_coverage_files>};

// A new suite is a line here, its request and its function.
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
                                      .subcommands = kSuites,
                                      .subcommand_name = "suite"};

}  // namespace rubric::cli
