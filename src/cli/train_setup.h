// What `train` and `prepare` share: a configuration from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/train_config.h"

namespace rubric {

struct TrainSetup {
  TrainConfig config;
  std::filesystem::path encoder;  // the folder that config.model.name leads to
};

// Reads the configuration `name` (as a path, else under configs/ here or beside the program) with
// overrides, and settles what it leaves open: the run directory (`output` when given), the token
// store and where the encoder lies. Throws InputError; one message tells of missing data files and
// of a missing model, and which commands fetch them.
TrainSetup read_train_setup(const std::string& name, const std::vector<std::string>& overrides,
                            const std::string& output);

}  // namespace rubric
