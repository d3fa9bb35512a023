// The cells of an experiment's file.
#pragma once

#include <vector>

#include "config/yaml.h"
#include "eval/reproduce/experiment.h"

namespace rubric {

// `cells:`, each entry a row over some or all of the `columns:`. Throws InputError with file:line.
std::vector<Cell> read_cells(const Yaml& root);

}  // namespace rubric
