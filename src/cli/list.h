// Every command.
#pragma once

#include "cli/command.h"
#include "cli/data/describe.h"
#include "cli/data/prepare.h"
#include "cli/data/split.h"
#include "cli/derive/list.h"
#include "cli/evaluate/list.h"
#include "cli/judge/judge.h"
#include "cli/list/completion.h"
#include "cli/list/list_command.h"
#include "cli/reproduce/reproduce.h"
#include "cli/score/score.h"
#include "cli/shared/neural_commands.h"
#include "rubric/choose.h"
#include "rubric/compare.h"
#include "rubric/estimate.h"
#include "rubric/plan.h"

namespace rubric::cli {

inline constexpr Command kCompare = {
    .name = "compare",
    .summary = "tests whether systems differ in one or more metrics",
    .make_call = config::make_call<CompareRequest, compare_systems>,
    .is_step = true};
inline constexpr Command kEstimate = {
    .name = "estimate",
    .summary = "estimates how good systems are from scores of all answers and labels of a few",
    .make_call = config::make_call<EstimateRequest, estimate>,
    .is_step = true};
inline constexpr Command kPlan = {
    .name = "plan",
    .summary = "tells how many labels a difference or a narrow interval takes, from a pilot",
    .make_call = config::make_call<PlanRequest, plan>};
inline constexpr Command kChoose = {
    .name = "choose",
    .summary = "draws the answers that people should label, with known probabilities",
    .make_call = config::make_call<ChooseRequest, choose>};

// A new command is a line here, and files of its own.
// clang-format off
inline constexpr const Command* kCommands[] = {
    &kTrain,
    &kScore,
    &kGenerate,
    &kEvaluate,
    &kJudge,
    &kCompare,
    &kEstimate,
    &kPlan,
    &kChoose,
    &kSplit,
    &kPrepare,
    &kImport,
    &kQuantize,
    &kAverage,
    &kDerive,
    &kDescribe,
    &kReproduce,
    &kList,
    &kCompletion,
};
// clang-format on
static_assert(have_unique_names(kCommands));

}  // namespace rubric::cli
