// What `train` and `prepare` share: a configuration from the command line.
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
  std::filesystem::path encoder;  // the folder that config.model.name leads to
};

// Reads the configuration that these options name, as a path, else under configs/ here or beside
// the program, and settles what it leaves open: where the encoder lies, and the run directory,
// which is `output` when given, else runs/ and the configuration's name. Throws InputError; one
// message tells of missing data files and of a missing model, and which commands fetch them.
TrainSetup read_train_setup(const OptionValues& values, const std::string& output = "");

}  // namespace rubric::cli
