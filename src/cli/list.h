// Every command.
#pragma once

#include "cli/command.h"
#include "cli/data/describe.h"
#include "cli/data/prepare.h"
#include "cli/data/split.h"
#include "cli/derive/list.h"
#include "cli/estimate/choose.h"
#include "cli/estimate/estimate.h"
#include "cli/estimate/plan.h"
#include "cli/evaluate/compare.h"
#include "cli/evaluate/list.h"
#include "cli/judge/judge.h"
#include "cli/list/completion.h"
#include "cli/list/list_command.h"
#include "cli/reproduce/reproduce.h"
#include "cli/score/score.h"
#include "cli/shared/derived_model_commands.h"
#include "cli/shared/generate_command.h"
#include "cli/shared/import_command.h"
#include "cli/shared/train_command.h"

namespace rubric::cli {

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
