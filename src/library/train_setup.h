// The configuration of a training run, completed and checked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/settings/train_config.h"

namespace rubric::library {

struct TrainSetup {
  train::TrainConfig config;
  std::filesystem::path encoder;  // the directory of config.model.name
};

// Reads `configuration`, as a path, else under configs/ here or beside the program, with overrides
// such as "run.epochs=3", and completes it: the encoder's directory, and the run directory, which
// is `output` if given, else runs/ and the configuration's name. Throws InputError; one message
// lists missing data files and a missing model, with the commands that fetch them.
TrainSetup read_train_setup(const std::string& configuration,
                            const std::vector<std::string>& overrides,
                            const std::filesystem::path& output = {});

}  // namespace rubric::library
