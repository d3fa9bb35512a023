// ECQA (Aggarwal et al. 2021): questions of CommonsenseQA with explanations.
#pragma once

#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric::data {

// Reads one example a row, in file order, from the columns q_no, q_text, q_op1 … q_op5, q_ans and
// taskA_pos: the reasons for the answer, one a line, which are joined by spaces (REV's rationale is
// not the free-flow text of taskB). Throws InputError naming file, line and column.
std::vector<RationaleExample> read_ecqa(const std::filesystem::path& file);

inline constexpr RationaleReader kEcqa = {
    .name = "ecqa",
    .summary = "questions of CommonsenseQA with reasons (Aggarwal et al. 2021)",
    .read = read_ecqa};

}  // namespace rubric::data
