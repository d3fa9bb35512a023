// Answers as rows and back: the one place that knows what the fields of a row are called.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "data/rows/rows.h"

namespace rubric::data {

// The answer of an object with reference (a string or a list) and candidate, and perhaps id,
// constituent, source, passage and question, under the names that `names` gives them. Without an id
// it is row `number`. The human score is left out: what only scores rows has no use for it, and a
// column of that name may hold anything. Throws InputError naming `where` and the field.
Answer row_answer(const Json& row, const FieldNames& names, int64_t number,
                  const std::string& where);

// The human score of a row, as a number or as the text of one; nothing where it has none. Throws
// InputError.
std::optional<double> row_label(const Json& row, const FieldNames& names, const std::string& where);

// The minimal pair of an object with candidate1, the better one, and candidate2 (and perhaps score1
// and score2) in the place of candidate and score; and whether a row is one.
AnswerPair row_pair(const Json& row, FieldNames names, int64_t number, const std::string& where);
bool is_row_pair(const Json& row, const FieldNames& names);

// The object that row_answer and row_label read: fields that are empty stay out.
Json answer_row(const Answer& answer);

// Every answer of a file in any of the formats, with human scores and, of MOCHA's instances and
// the rows that `rubric split` makes of them, each annotator's. Throws InputError naming file,
// row and field, and for a file without rows.
std::vector<Answer> read_answers(const std::filesystem::path& file, InputFormat format,
                                 const FieldNames& names = {});

// As read_answers, each with the whole object that the file has for it, its fields under our names.
// EVOUNA and STS-B have no more than the answer. Throws InputError, too, where two fields would
// have one name.
struct WholeAnswers {
  std::vector<Answer> answers;
  std::vector<Json> rows;  // of each answer
};
WholeAnswers read_whole_answers(const std::filesystem::path& file, InputFormat format,
                                const FieldNames& names = {});

// The minimal pairs of a file named .jsonl, .csv or .tsv, or of one in MOCHA's nesting.
std::vector<AnswerPair> read_minimal_pairs(const std::filesystem::path& file);

}  // namespace rubric::data
