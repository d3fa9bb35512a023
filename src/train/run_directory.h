// The folder of a training run: configuration, log, checkpoints, best model, results.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "core/json.h"
#include "train/optimizer.h"

namespace rubric {

// Where a run stands after `step` updates; with the parameters and the optimiser all that is needed
// to go on bit for bit.
struct TrainState {
  int64_t step = 0;
  int64_t best_step = -1;  // -1: none yet
  double best_figure = 0;
  int64_t validations_without_gain = 0;
  double loss_sum = 0;  // over the updates since the last validation
  int64_t loss_steps = 0;
};

class RunDirectory {
 public:
  // Makes the folder, or opens the one of an earlier start of the same run. Throws InputError when
  // it holds another run: its config.yaml differs from `config_text` (the first difference is
  // named), or `may_resume` is false and it holds anything.
  RunDirectory(std::filesystem::path path, const std::string& config_text, bool may_resume);

  const std::filesystem::path& path() const { return path_; }
  bool finished() const;  // results.json is there

  // The newest complete checkpoint's state, its parameters and optimiser restored in place; nothing
  // when there is none. A checkpoint that cannot be read is named in a warning and the one before
  // it is used. Lines of the log that were written after it are cut.
  std::optional<TrainState> resume(AdamW& optimizer);

  // Appears by rename after everything in it is on disk; older ones than the `keep` latest go.
  void save_checkpoint(const TrainState& state, const AdamW& optimizer, int64_t keep);

  void log(const Json& event);  // one line of log.jsonl

  // A folder published by rename, replacing an earlier one: `write` fills it.
  template <class Write>
  void replace_directory(const std::string& name, const Write& write) {
    const std::filesystem::path partial = begin_directory(name);
    write(partial);
    publish_directory(partial, name);
  }

 private:
  std::filesystem::path begin_directory(const std::string& name);
  void publish_directory(const std::filesystem::path& partial, const std::string& name);
  void cut_log_after(int64_t step);

  std::filesystem::path path_;
  std::ofstream log_;
};

}  // namespace rubric
