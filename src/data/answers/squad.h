// SQuAD 1.1 and 2.0 (Rajpurkar et al. 2016, 2018): the data set with a file of predictions.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"
#include "data/rows/missing_values.h"

namespace rubric::data {

// The constituent of SQuAD 2.0's questions without an answer; that of the others is "has_answer".
inline constexpr const char* kNoAnswer = "no_answer";

// Reads {"data": [{"paragraphs": [{"context", "qas": [{"id", "question", "answers":
// [{"text"}]}]}]}]} with predictions {id: text}. As the official scripts do: in 1.1 a question
// without a prediction is answered with an empty text; in 2.0, known by "is_impossible", it is left
// out, an unanswerable question has the reference "" (no answer), and references of which
// normalisation leaves nothing do not count. Sets the constituent.
// Throws InputError naming file and question.
std::vector<Answer> read_squad(const std::filesystem::path& file,
                               const std::filesystem::path& predictions, MissingValues& missing);

bool is_begun_by_squad(std::string_view start);  // InputFormat::is_begun_by

inline constexpr InputFormat kSquad = {
    .name = "squad",
    .summary = "SQuAD 1.1's or 2.0's JSON (Rajpurkar et al. 2016, 2018), with --predictions",
    .read_predicted = read_squad,
    .is_begun_by = is_begun_by_squad,
    .may_have_no_answer = true};

}  // namespace rubric::data
