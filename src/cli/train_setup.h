// What `train` and `prepare` share: a configuration from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/train_config.h"

namespace rubric {

// Reads the configuration `name` (as a path, else under configs/ here or beside the program) with
// overrides, and settles what it leaves open: the run directory (`output` when given) and the token
// store. Throws InputError; missing data files say which command fetches them.
TrainConfig read_train_config(const std::string& name, const std::vector<std::string>& overrides,
                              const std::string& output);

}  // namespace rubric
