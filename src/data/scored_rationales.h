// Rationales with what an evaluator and the simulators made of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric {

struct ScoredRationale : Rationale {
  std::string where = {};          // "file:line: ID", for messages
  std::optional<double> rev = {};  // scores.rev, nats
  // The choices of simulators that read the question, the rationale, and both; "": none is there.
  std::string sim_x = {}, sim_r = {}, sim_xr = {};
};

// The rows of a file of rationales (JSON lines). Either all have a score, a simulator's choice or a
// gold label, or none has. Throws InputError with file:line and id as rationale_of() does, for a
// row without choices, an id or a choice that stands twice, a simulator's choice that is not among
// the choices, a score that is not a finite number, and for what some rows lack.
std::vector<ScoredRationale> read_scored_rationales(const std::filesystem::path& file);

}  // namespace rubric
