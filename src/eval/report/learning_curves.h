// How training went, from a run's log.
#pragma once

#include <filesystem>
#include <vector>

#include "eval/report/plots.h"

namespace rubric {

// The loss over updates and the validation figure over updates, from log.jsonl: a line with
// "event": "update" holds "step" and "loss", one with "validation" holds "step", "figure" (its
// name) and "value" (a number or null). Pictures without a point are left out.
std::vector<Plot> learning_curves(const std::filesystem::path& log);

}  // namespace rubric
