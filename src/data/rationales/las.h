// CommonsenseQA v1.0 with CoS-E's explanations as the authors of LAS give it (Hase et al. 2020).
#pragma once

#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric {

// An example a row, in file order, of the columns id, question, choice_0, choice_1, …, label (the
// answer's number from 0) and human_exp. Throws InputError naming file, line and column; the test
// file, which has neither label nor explanation, is refused.
std::vector<FoundRationale> read_las(const std::filesystem::path& file);

}  // namespace rubric
