// The result of a training run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "rubric/result.h"
#include "rubric/training.h"

namespace rubric::eval {

// What a finished run reports beside its validations.
struct RunOutcome {
  std::string statistic = {};  // of the validations: "pearson"; "": the run goes on
  Json parts = {};             // of the best validation, as log.jsonl has them
  int64_t updates = 0;
  std::vector<DevValue> comparison = {};  // on the dev rows, best first
};

// Measurements: the statistic of the best validation, and its parts, those of a constituent or a
// source with it as group; "dev_loss"; "updates", "best_update" and, where the run started from a
// trained model, "start_kept", 1 if no update made it better. With a metric as key the statistic is
// that of the comparison. Records: "validations".
Result training_result(std::span<const ValidationPoint> validations, const RunOutcome& outcome);

// Calls `visit` with each event of a run's log.jsonl, its kind ("update", "validation", "extended")
// and its place in the file.
using EventVisitor =
    std::function<void(const Json& event, const std::string& kind, const std::string& where)>;
void visit_log(const std::filesystem::path& log, const EventVisitor& visit);

}  // namespace rubric::eval
