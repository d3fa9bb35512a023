// Which fields of a file's rows are those of an answer.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric::data {

// Whether the field of this name, in any case of letters, is usually a text of an answer: one of
// ours, or what else it is called.
bool is_text_field(const std::string& name);

// Adds to `names` the file's names of the fields of an answer that `row`, the file's first, has
// under a usual name ("prediction" for candidate; docs/rows.md lists them) or in other letters
// ("Question") instead of ours. The
// field "answer" is the candidate where the row has another reference, else the reference. Logs
// what it adds. Throws InputError when several fields may be one of ours.
FieldNames complete_names(const Json& row, FieldNames names, const std::string& where);

// Called with each row and the names of its fields, those of complete_names(). Returning false
// stops reading.
using AnswerRowVisitor =
    std::function<bool(Json row, const FieldNames& names, const std::string& where)>;

// Reads rows of answers: visit_rows() with complete_names() of the first row. In a table a
// reference that is a list (parse_list_cell) becomes an array. Throws InputError as these do, and
// for a row without a field that `names` renames.
void visit_answer_rows(const std::filesystem::path& file, InputFormat format,
                       const FieldNames& names, const AnswerRowVisitor& visit);

}  // namespace rubric::data
