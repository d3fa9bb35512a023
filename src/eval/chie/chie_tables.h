// The figures of the CHIE suite, to be read.
#pragma once

#include <vector>

#include "eval/chie/output.h"
#include "eval/report/table.h"

namespace rubric {

// The systems, and what else there is: by the annotators, terciles, agreement with the annotators'
// majority and between judges, replies that the two parsers read differently.
std::vector<Table> chie_tables(const ChieResults& results);

}  // namespace rubric
