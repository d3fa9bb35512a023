// rubric prepare: writes a configuration's data into the token store before training.
#pragma once

#include "cli/command.h"
#include "rubric/training.h"

namespace rubric::cli {

void prepare_data(const TrainConfiguration& request, const Context& context);

inline constexpr Command kPrepare = {
    .name = "prepare",
    .summary = "tokenises a configuration's data ahead of training",
    .make_call = config::make_call<TrainConfiguration, prepare_data>,
    .has_link = true};

}  // namespace rubric::cli
