// What `train` and `prepare` share: a configuration from the command line.
#pragma once

#include <string>

#include "cli/options.h"
#include "config/train_config.h"

namespace rubric {

// --config FILE and --set KEY=VALUE
void add_config_options(CommandSyntax& syntax);

// The configuration that these options name, as a path, else under configs/ here or beside the
// program. The run directory is `output` when given, else what the configuration says, else runs/
// and the configuration's name. Throws InputError; missing data files say which command fetches
// them.
TrainConfig config_option(const OptionValues& values, const std::string& output = "");

}  // namespace rubric
