// report.html of a training run, written while the run goes on and when it ends.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "eval/result/training.h"
#include "rubric/result.h"
#include "train/checkpoints/checkpoints.h"
#include "train/loop/loop.h"
#include "train/settings/train_config.h"

namespace rubric::train {

class RunReport {
 public:
  // `data` describes the run's data, `command` is the one that the page shows ("": none).
  RunReport(const TrainConfig& config, RunLength length, std::string data, std::string command);

  // After a validation, and after a stop. Pictures take a tenth of a second: after a validation the
  // page is left as it is where that would be more than a tenth of the time since the last one. A
  // page that cannot be written is a warning.
  void update(const TrainState& state, bool is_stopped);

  // The page of a finished run. Throws Error when it cannot be written.
  void finish(const TrainState& state, const Result& result);

  // The run's result. Its record "run" has the data, what is held out and the builds that trained.
  Result result(const TrainState& state, const eval::RunOutcome& outcome) const;

 private:
  void write(const TrainState& state, const std::string& progress, Result result);

  std::filesystem::path run_;
  std::string hold_out_, data_, command_;
  RunLength length_;
  int64_t epochs_;
  std::chrono::steady_clock::time_point written_;
  std::chrono::duration<double> cost_{0};  // of the last page
};

}  // namespace rubric::train
