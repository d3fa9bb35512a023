// EVOUNA (Wang et al. 2023, "Evaluating Open-QA Evaluation"): questions, the answers of several
// systems, and a human verdict on each.
#pragma once

#include <filesystem>
#include <vector>

#include "data/records.h"

namespace rubric {

// A record for each question and system that answered it, in file order: [{question, golden_answer,
// answer_SYSTEM, judge_SYSTEM, …, improper}]. The systems are whatever the keys name and become the
// constituents; the id is the question's number from 1; every part of golden_answer between "/" is
// a reference; a null answer is an empty one; a true verdict is the score 5, a false one 1.
// Improper questions and null verdicts are left out, and counted in the log. Throws InputError
// naming file, question and field.
std::vector<Answer> read_evouna(const std::filesystem::path& file);

}  // namespace rubric
