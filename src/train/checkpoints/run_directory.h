// Which run a folder holds: the same command goes on with its own run and with no other.
#pragma once

#include <filesystem>

#include "train/settings/train_config.h"
#include "core/json/json.h"

namespace rubric {

// The file of a run directory that a training process holds a lock on. It stays, empty.
inline constexpr const char* kLockFile = "lock";

// The SHA-256 of every file that a run depends on, by its configuration key.
Json input_hashes(const TrainConfig& config, const std::filesystem::path& encoder_directory);

// What must be the same on all ranks of a run, by names for messages: the configuration (only the
// token store may lie elsewhere) and the input files.
Json run_facts(const TrainConfig& config, const Json& inputs);

enum class Resume { automatic, never };

// Whether `config.output` holds an earlier start of this run. Throws InputError when it does and
// `resume` is never, and when it holds anything else: files that are no run's, or a run whose
// configuration or input files differ (where is named; the places of the run and its token store
// may differ). Touches nothing.
bool holds_run(const TrainConfig& config, const Json& inputs, Resume resume);

// Writes into the run directory what holds_run() goes by: inputs.json, config.yaml.
void write_identity(const TrainConfig& config, const Json& inputs);

bool is_finished(const std::filesystem::path& run);  // results.json is there

}  // namespace rubric
