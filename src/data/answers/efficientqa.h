// EfficientQA's test set (Min et al. 2021): questions with short answers, and people's grades of
// what the competition's systems predicted.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// Reads JSON lines {"question", "answer": [text, …], "def_correct_predictions": [text, …],
// "poss_correct_predictions", "def_incorrect_predictions"} into one record for each prediction, in
// this order. Definitely correct is the score 5, possibly correct 3, definitely incorrect 1, on the
// scale of MOCHA and of the reader of EVOUNA. Every answer is a reference; predictions are none.
// The id is the question's number from 1 and the prediction's in it ("12.3"), the constituent
// "efficientqa": which system predicted what is not in the file. Throws InputError naming file,
// line and field.
std::vector<Answer> read_efficientqa(const std::filesystem::path& file);

bool is_begun_by_efficientqa(std::string_view start);  // InputFormat::is_begun_by

inline constexpr InputFormat kEfficientQa = {
    .name = "efficientqa",
    .summary = "EfficientQA's JSON lines: predictions graded 5, 3 or 1 by people (Min et al. 2021)",
    .read = read_efficientqa,
    .is_begun_by = is_begun_by_efficientqa};

}  // namespace rubric::data
