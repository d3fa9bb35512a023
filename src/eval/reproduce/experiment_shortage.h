// What an experiment's steps would read and is not there, and what is then of no use.
#pragma once

#include <string>
#include <vector>

#include "eval/reproduce/plan.h"

namespace rubric {

struct Shortage {
  // All that is missing, each once: the files of one source a line with how to get them, and the
  // messages of models and of METEOR's data.
  std::vector<std::string> missing;
  // By run of the plan: why nothing that was asked for could use it; "" where something can.
  std::vector<std::string> of_no_use;
};

// A run is of use when a cell of which no run lacks anything needs it, or a run asked for by name.
// Throws InputError for a missing configuration.
Shortage find_shortage(const Experiment& experiment, const Plan& plan);

}  // namespace rubric
