// A run's curves for other programs: TensorBoard's event files, and a table.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"

namespace rubric::train {

using Scalars = std::vector<std::pair<std::string, double>>;  // by tag

// One record of an event file: length, data (an Event of TensorBoard's event.proto) and a masked
// CRC-32C of each, as TensorFlow's RecordWriter frames them.
std::string version_record(double wall_time);
// Says that a start begins at `step`: TensorBoard then drops what earlier files have from there on.
std::string start_record(double wall_time, int64_t step);
std::string scalars_record(double wall_time, int64_t step, const Scalars& scalars);

// The numbers of an event of log.jsonl: "train/loss", "dev/pearson".
Scalars scalars_of(const Json& event);

// The event file of one start of a run, made with the first event, so that a start that does
// nothing leaves no file.
class EventFile {
 public:
  explicit EventFile(std::filesystem::path run) : run_(std::move(run)) {}

  // Appends the numbers of an event of log.jsonl. Throws Error when it cannot be written.
  void add(const Json& event);

 private:
  std::filesystem::path run_, file_;
  std::ofstream stream_;
};

// Writes metrics.csv from log.jsonl: a row for each validation and for every tenth update. Throws
// Error when it cannot be written.
void write_metrics_table(const std::filesystem::path& run);

}  // namespace rubric::train
