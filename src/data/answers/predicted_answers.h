// Files of predicted answers, which data sets of questions are read with.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/rows/missing_values.h"

namespace rubric::data {

// The predicted answer by the key of its question: {"KEY": "text"}, as SQuAD's script reads it,
// also an object a line, or rows (JSON lines, a JSON array, CSV, TSV) with the key in the field
// `key`, else "id", and the answer in one that complete_names() takes for the candidate. A file of
// one object without the field of a key is {"KEY": "text"}, whatever its keys are. `missing` says
// what becomes of a missing answer; a dropped one is nullopt. Throws InputError as the readers of
// rows do, for a text that is not a string, and for a key that occurs twice.
using PredictedTexts = std::map<std::string, std::optional<std::string>>;
PredictedTexts read_predicted_answers(const std::filesystem::path& file, const std::string& key,
                                      MissingValues& missing);

// How likely a question has no answer: a probability or, as BERT's null_odds.json has it, any
// finite number.
struct NoAnswer {
  double probability = 0;
  size_t place = 0;  // in the file
};

// Reads {"ID": number}, SQuAD 2.0's file for --na-prob-file of its script. Throws InputError.
std::map<std::string, NoAnswer> read_no_answers(const std::filesystem::path& file);

// Adds each question's prediction to it as the candidate; `key_of` gives its key. A question
// without one gets `missing` as its candidate or, for null, is left out, as is one whose prediction
// was dropped. Warns about questions
// without a prediction and about predictions for no question. Throws InputError when nothing
// matches.
std::vector<Answer> with_predictions(std::vector<Answer> questions,
                                     const PredictedTexts& predictions,
                                     const std::function<std::string(const Answer&)>& key_of,
                                     const char* missing, const std::filesystem::path& file);

}  // namespace rubric::data
