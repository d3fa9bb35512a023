// What a reader of the CHIE suite's figures must know.
#pragma once

#include <string>
#include <vector>

#include "eval/chie/output.h"

namespace rubric {

// Of each table, then of all: what its figures are, and what is left out of them.
std::vector<std::string> system_notes(const ChieResults& results);
std::vector<std::string> tercile_notes(const ChieResults& results);   // with terciles
std::vector<std::string> majority_notes(const ChieResults& results);  // with labels
std::vector<std::string> judge_notes(const ChieResults& results);     // with other ledgers
std::vector<std::string> chie_notes(const ChieResults& results);

}  // namespace rubric
