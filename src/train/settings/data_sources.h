// Which files and folders a training run reads its examples from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/settings/train_config.h"
#include "core/json/json.h"

namespace rubric {

struct DataSource {
  std::string key;  // that names it: "data.train", "questions.race.dev"
  std::filesystem::path path;
};

// In the order of the configuration's reference. All tasks but multiple_choice have
// one file a split, named or not.
std::vector<DataSource> data_sources(const TrainConfig& config);

// The SHA-256 of what each key names, by key: of a file its own, of several files, of a folder's
// articles, and of MCTest's files with their answers one over all. Throws InputError when one
// cannot be read.
Json data_hashes(const TrainConfig& config);

}  // namespace rubric
