// Answers as rows and back: the one place that knows what the fields of a row are called.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/input_format.h"
#include "data/records.h"

namespace rubric {

// The answer of an object with reference (a string or a list) and candidate, and perhaps id,
// constituent, source, passage and question, under the names that `names` gives them. Without an id
// it is row `number`. The human score is left out: what only scores rows has no use for it, and a
// column of that name may hold anything. Throws InputError naming `where` and the field.
Answer row_answer(const Json& row, const FieldNames& names, int64_t number,
                  const std::string& where);

// The human score of a row, as a number or as the text of one; nothing where it has none. Throws
// InputError.
std::optional<double> row_label(const Json& row, const FieldNames& names, const std::string& where);

// The object that row_answer and row_label read: fields that are empty stay out.
Json answer_row(const Answer& answer);

// Every answer of a file in any of the formats, with human scores. Throws InputError naming file,
// row and field, and for a file without rows.
std::vector<Answer> read_answers(const std::filesystem::path& file, InputFormat format,
                                 const FieldNames& names = {});

}  // namespace rubric
