// Answer Equivalence (Bulian et al. 2022): answers that readers gave to SQuAD's questions, and
// whether people found them as good as the reference.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// Reads JSON lines {"question", "reference", "candidate", "label": "correct" or "incorrect"}, as
// the data set is published again without passages: correct is the score 5, incorrect 1, on the
// scale of the reader of EVOUNA. The id is the row's number from 1, the constituent
// "answer_equivalence". A candidate may be empty. Throws InputError naming file, line and field.
std::vector<Answer> read_answer_equivalence(const std::filesystem::path& file);

bool is_begun_by_answer_equivalence(std::string_view start);  // InputFormat::is_begun_by

inline constexpr InputFormat kAnswerEquivalence = {
    .name = "answer_equivalence",
    .summary = "Answer Equivalence's JSON lines: correct (5) or incorrect (1) (Bulian et al. 2022)",
    .read = read_answer_equivalence,
    .is_begun_by = is_begun_by_answer_equivalence};

}  // namespace rubric::data
