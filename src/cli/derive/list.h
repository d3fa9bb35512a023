// The parts of `derive`, by what they make.
#pragma once

#include "cli/command.h"
#include "cli/derive/behaviours.h"
#include "cli/derive/conversions.h"
#include "cli/derive/derivations.h"
#include "cli/derive/r4c_baseline.h"
#include "cli/derive/r4c_pairs.h"
#include "cli/derive/rationale_pairs.h"
#include "cli/derive/rationales.h"
#include "cli/derive/vacuous_rationales.h"

namespace rubric::cli {

// A new one is a line here, and files of its own.
// clang-format off
inline constexpr const Command* kDerivations[] = {
    &kDeriveR4cBaseline,
    &kDeriveR4cPairs,
    &kDeriveDerivations,
    &kDeriveRationales,
    &kDeriveVacuousRationales,
    &kDeriveConversions,
    &kDeriveRationalePairs,
    &kDeriveBehaviours,
};
// clang-format on
static_assert(have_unique_names(kDerivations));

inline constexpr Command kDerive = {
    .name = "derive",
    .summary = "makes R4C's derivations, REV's rationales and test pairs of answers",
    .is_step = true,
    .has_link = true,
    .parts = kDerivations,
    .part_name = "kind"};

}  // namespace rubric::cli
