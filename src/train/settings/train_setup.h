// The configuration of a training run, completed and checked.
#pragma once

#include <filesystem>

#include "rubric/training.h"
#include "train/settings/train_config.h"

namespace rubric::train {

// Whether a run that is there already is resumed: by the build of rubric that trained it so far, by
// any build, or not at all.
enum class Resume { automatic, of_any_build, never };

struct TrainSetup {
  TrainConfig config;
  std::filesystem::path encoder;  // the directory of config.model.name
  Resume resume = Resume::automatic;
};

// Reads the configuration, as a path, else under configs/ here or beside the program, with its
// overrides, and completes it: the encoder's directory, and the run directory, which
// is `output` if given, else runs/ and the configuration's name. Throws InputError; one message
// lists missing data files and a missing model, with the commands that fetch them.
TrainSetup read_train_setup(const TrainConfiguration& configuration,
                            const std::filesystem::path& output = {});

// The same with all that a request changes. Throws InputError, too, for values that contradict each
// other and a run to resume that is not there.
TrainSetup read_train_setup(const TrainRequest& request);

}  // namespace rubric::train
