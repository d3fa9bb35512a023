// The folder of a training run: configuration, log, checkpoints, best model, results.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "config/train_config.h"
#include "core/json.h"
#include "train/optimizer.h"

namespace rubric {

// Where a run stands after `step` updates; with the parameters and the optimiser all that is needed
// to go on bit for bit.
struct TrainState {
  int64_t step = 0;
  int64_t best_step = -1;             // -1: none yet
  std::optional<double> best_figure;  // nothing: undefined so far
  int64_t validations_without_gain = 0;
  double loss_sum = 0;  // over the updates since the last validation
  int64_t loss_steps = 0;
};

// The SHA-256 of every file that a run depends on, by its configuration key.
Json input_hashes(const TrainConfig& config, const std::filesystem::path& encoder_directory);

// Whether `config.output` holds an earlier start of this run. Throws InputError when it holds
// anything else: files that are no run's, or a run whose configuration or input files differ (where
// is named; the places of the run and its token store may differ). Touches nothing.
bool holds_run(const TrainConfig& config, const Json& inputs);

bool is_finished(const std::filesystem::path& run);  // results.json is there

// Held as long as it lives; the kernel drops it when the process is killed.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);  // InputError when another has it
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_;
};

class RunDirectory {
 public:
  // Makes the folder, or opens the one that holds_run() has found, and removes what an earlier
  // start that was killed left half-written. Throws InputError when the folder cannot be made or
  // another process is training in it.
  RunDirectory(std::filesystem::path path, const std::string& config_text, const Json& inputs);

  const std::filesystem::path& path() const { return path_; }

  // The newest complete checkpoint's state, its parameters and optimiser restored in place; nothing
  // when there is none. A checkpoint that cannot be read is named in a warning and the one before
  // it is used; when none can, InputError. Lines of the log that were written after it are cut.
  std::optional<TrainState> resume(AdamW& optimizer);

  // Appears by rename after everything in it is on disk; older ones than the `keep` latest go.
  void save_checkpoint(const TrainState& state, const AdamW& optimizer, int64_t keep);

  void log(const Json& event);  // one line of log.jsonl

  // predictions/SPLIT.jsonl, one object a line; replaces an earlier one.
  void save_predictions(const std::string& split, const std::vector<Json>& rows);

  // A folder published by rename, replacing an earlier one: `write` fills it.
  template <class Write>
  void replace_directory(const std::string& name, const Write& write) {
    const std::filesystem::path partial = begin_directory(name);
    try {
      write(partial);
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove_all(partial, ignored);  // a full disk needs the space
      throw;
    }
    publish_directory(partial, name);
  }

 private:
  std::filesystem::path begin_directory(const std::string& name);
  void publish_directory(const std::filesystem::path& partial, const std::string& name);
  void open_log();
  void cut_log_after(int64_t step);

  std::filesystem::path path_;
  std::optional<DirectoryLock> lock_;
  std::ofstream log_;
};

}  // namespace rubric
