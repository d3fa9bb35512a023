// The statistics of R4C's files (Inoue et al. 2020, Table 1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "eval/report/table.h"

namespace rubric {

struct DerivationCounts {
  std::string split;
  int64_t questions = 0;
  int64_t derivations = 0, one_step = 0, two_steps = 0, three_steps = 0, more_steps = 0;
};

DerivationCounts count_derivations(const std::string& split,
                                   std::span<const DerivationQuestion> questions);

// Table 1: a row a split and, of several, their total. Derivations of one step, which R4C's files
// do not have, get a column where there are some.
Table r4c_description_table(std::span<const DerivationCounts> splits);

// A figure a row: split, figure, value.
Table r4c_description_figures(std::span<const DerivationCounts> splits);

// {"splits": {NAME: {"questions", "derivations", "steps": {"1", "2", "3", ">=4"}}}, "total": …}
Json to_json(std::span<const DerivationCounts> splits);

}  // namespace rubric
