// Converts answers and minimal pairs to rows and back, and reads files of them. The only place that
// knows the names of a row's fields.
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

// Reads the answer of a row (visit_answer_rows) with the fields reference (a string or a list),
// candidate and optionally id, constituent, source, passage and question, renamed by `names`. The
// default id is `number`. Does not read the human score: scoring does not need it, and a column of
// that name may hold anything. Throws InputError naming `where` and the field.
Answer row_answer(const Json& row, const FieldNames& names, int64_t number,
                  const std::string& where);

// The human score of a row, a number or the text of one; nullopt if it has none. Throws InputError.
std::optional<double> row_label(const Json& row, const FieldNames& names, const std::string& where);

// Reads a minimal pair: candidate1, the better one, and candidate2 (optionally score1 and score2)
// replace candidate and score. is_row_pair() tells whether a row is one.
AnswerPair row_pair(const Json& row, FieldNames names, int64_t number, const std::string& where);
bool is_row_pair(const Json& row, const FieldNames& names);

// The row that row_answer and row_label read, without empty fields.
Json answer_row(const Answer& answer);

// Reads all answers of a file in any format, with their human scores and, for MOCHA's instances and
// the rows that `rubric split` makes of them, each annotator's rating. Throws InputError naming
// file, row and field, and for a file without rows.
std::vector<Answer> read_answers(const std::filesystem::path& file, InputFormat format,
                                 const FieldNames& names = {});

// As read_answers, with the whole row of each answer, its fields under our names. Rows of EVOUNA
// and STS-B hold only the answer. Also throws InputError when two fields would get the same name.
struct AnswerRows {
  std::vector<Answer> answers;
  std::vector<Json> rows;  // of each answer
};
AnswerRows read_answers_with_rows(const std::filesystem::path& file, InputFormat format,
                                  const FieldNames& names = {});

// Reads the minimal pairs of a .jsonl, .csv or .tsv file, or of a file in MOCHA's nesting.
std::vector<AnswerPair> read_minimal_pairs(const std::filesystem::path& file);

}  // namespace rubric::data
