// TriviaQA (Joshi et al. 2017): questions with aliases of their answers, with a file of
// predictions.
#pragma once

#include <filesystem>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"
#include "data/rows/missing_values.h"

namespace rubric::data {

// Reads {"Data": [{"QuestionId", "Question", "Answer": {"NormalizedAliases", "HumanAnswers"}}]}
// with predictions {QuestionId: text}. References are the normalised aliases and the human answers,
// and candidates are normalised as the official script does it (lower case; punctuation, the quotes
// ‘ ’ ´ ` and underscores as blanks; without articles), so that F1 and exact match are that
// script's. Of a file of verified questions ("VerifiedEval") only these count. A question without a
// prediction is answered with an empty text. Throws InputError naming file and question, and for
// the domain Web, whose predictions belong to a question and a document each.
std::vector<Answer> read_trivia_qa(const std::filesystem::path& file,
                                   const std::filesystem::path& predictions,
                                   MissingValues& missing);

inline constexpr InputFormat kTriviaQa = {
    .name = "trivia_qa",
    .summary = "TriviaQA's JSON (Joshi et al. 2017), with --predictions",
    .read_predicted = read_trivia_qa};

}  // namespace rubric::data
