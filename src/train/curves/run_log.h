// A run's log.jsonl, read while it grows, and what it says of the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"

namespace rubric::train {

using CurvePoints = std::vector<std::pair<double, double>>;  // update, value

struct RunCurves {
  CurvePoints losses, dev_losses, values;  // values: of the validation metric
  std::string metric;                      // its name; "" before the first validation
  std::optional<std::pair<double, double>> best;
  int64_t step = 0, steps = 0;                      // updates made; at most to be made, 0: not said
  double learning_rate = 0, tokens_per_second = 0;  // of the last update
  double seconds = 0;                               // of all updates and validations
};

// Adds an event of the log to the curves. Throws InputError naming `where` for an invalid event.
void add_event(const Json& event, const std::string& where, RunCurves& curves);

// Seconds that the rest of the run takes at most, if it goes on as it has so far, validations
// included; nothing before the first update, and where the log does not say how long the run is.
std::optional<double> seconds_left(const RunCurves& curves);

// The mean loss of the last updates, at most twenty.
std::optional<double> recent_loss(const RunCurves& curves);

class RunLog {
 public:
  // Throws InputError unless the directory is that of a run: unless it has a config.yaml.
  explicit RunLog(std::filesystem::path run);

  // Reads the lines that are complete and were not read before; all of them again where a resumed
  // run has cut its log. Throws InputError naming file and line for an invalid event, and Error
  // when the log cannot be read.
  void update();

  const std::filesystem::path& run() const { return run_; }
  const RunCurves& curves() const { return curves_; }
  bool is_finished() const;
  std::optional<double> seconds_since_last()
      const;  // since the log was written; nothing without a log

 private:
  std::filesystem::path run_, file_;
  RunCurves curves_;
  std::string rest_;  // of the log: a line that is not complete
  uint64_t inode_ = 0;
  int64_t bytes_ = 0, lines_ = 0;  // read so far
};

}  // namespace rubric::train
