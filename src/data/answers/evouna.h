// EVOUNA (Wang et al. 2023, "Evaluating Open-QA Evaluation"): questions, the answers of several
// systems, and a human verdict on each answer.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// Reads [{question, golden_answer, answer_SYSTEM, judge_SYSTEM, …, improper}] into one record for
// each question and system, in file order. Systems are whatever the keys name and become the
// constituents; the id is the question's place in the file from 0; each part of golden_answer
// between "/" is a reference; a null answer is empty; a true verdict is the score 5, a false one 1.
// Leaves out improper questions and null verdicts and logs their number. Throws InputError naming
// file, question and field.
std::vector<Answer> read_evouna(const std::filesystem::path& file);

bool is_begun_by_evouna(std::string_view start);  // InputFormat::is_begun_by

inline constexpr InputFormat kEvouna = {
    .name = "evouna",
    .summary = "EVOUNA's JSON: systems' answers, each with a verdict (Wang et al. 2023)",
    .read = read_evouna,
    .is_begun_by = is_begun_by_evouna};

}  // namespace rubric::data
