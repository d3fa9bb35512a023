// CommonsenseQA v1.0 with CoS-E's explanations, as published by the authors of LAS (Hase et al.
// 2020).
#pragma once

#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric::data {

// Reads one example a row, in file order, from the columns id, question, choice_0, choice_1, …,
// label (the answer's number from 0) and human_exp. Throws InputError naming file, line and column,
// also for the test file, which has neither label nor explanation.
std::vector<RationaleExample> read_las(const std::filesystem::path& file);

inline constexpr RationaleReader kLas = {
    .name = "las",
    .summary = "CommonsenseQA with CoS-E's explanations, as LAS has them (Hase et al. 2020)",
    .read = read_las};

}  // namespace rubric::data
