// `train`, which rubric-neural runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax train_syntax();

inline constexpr Example kTrainExamples[] = {
    {"rubric train --config sample_lerc_ood_narrativeqa.yaml"},
    {"rubric train --config own.yaml --set run.epochs=20 --extend"},
    {"scripts/launch/local 2 rubric train --config lerc_ad.yaml --output runs/lerc"},
};
inline constexpr Command kTrain = {.name = "train",
                                   .summary = "trains a metric as a configuration file says",
                                   .syntax = train_syntax,
                                   .is_neural = true,
                                   .is_step = true,
                                   .has_link = true,
                                   .examples = kTrainExamples};

template <>
int run_neural<kTrain>(const Arguments& arguments);

}  // namespace rubric::cli
