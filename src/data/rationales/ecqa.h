// ECQA (Aggarwal et al. 2021): questions of CommonsenseQA with explanations.
#pragma once

#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric {

// An example a row, in file order, of the columns q_no, q_text, q_op1 … q_op5, q_ans and taskA_pos:
// the reasons for the answer, one a line, whose line breaks become blanks (the free-flow text of
// taskB is not REV's rationale). Throws InputError naming file, line and column.
std::vector<FoundRationale> read_ecqa(const std::filesystem::path& file);

}  // namespace rubric
