// NaturalQuestions-open (Lee et al. 2019): questions and short answers, with a file of predictions.
#pragma once

#include <filesystem>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"
#include "data/rows/missing_values.h"

namespace rubric::data {

// Reads JSON lines {"question", "answer": [text, …]} with predictions by question: {QUESTION:
// text}, or rows {"question", "prediction"}, as EfficientQA's submissions are. Texts are
// decomposed (Unicode's NFD) as the official script does it before it compares them. A question
// without a prediction is answered with an empty text. Warns when a question occurs twice.
// Throws InputError naming file and line.
std::vector<Answer> read_nq_open(const std::filesystem::path& file,
                                 const std::filesystem::path& predictions, MissingValues& missing);

inline constexpr InputFormat kNqOpen = {
    .name = "nq_open",
    .summary = "NaturalQuestions-open's JSON lines (Lee et al. 2019), with --predictions",
    .read_predicted = read_nq_open};

}  // namespace rubric::data
