// The configuration of `train` and `prepare`, from the command line.
#pragma once

#include <filesystem>
#include <string>

#include "cli/shared/options.h"
#include "train/settings/train_config.h"

namespace rubric::cli {

// --config FILE and --set KEY=VALUE
void add_config_options(CommandSyntax& syntax);

struct TrainSetup {
  train::TrainConfig config;
  std::filesystem::path encoder;  // the directory of config.model.name
};

// Reads the configuration named by these options, as a path, else under configs/ here or beside the
// program, and completes it: the encoder's directory, and the run directory, which is `output` if
// given, else runs/ and the configuration's name. Throws InputError; one message lists missing data
// files and a missing model, with the commands that fetch them.
TrainSetup read_train_setup(const OptionValues& values, const std::string& output = "");

}  // namespace rubric::cli
