// What files call the fields of an answer: one table, which docs/rows.md shows.
#pragma once

#include <span>
#include <string>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric::data {

// Whether the field of this name, in any case of letters, is usually a text of an answer: one of
// ours, or what else it is called.
bool is_text_field(const std::string& name);

// Whether a column holds texts: under a usual name, or one of `names`.
IsTextColumn text_columns(const FieldNames& names);

// The file's names of our fields, added to `names`, from the first rows of the file. A name is
// taken by what the field holds (a candidate is one text, a reference a text or a list of texts, a
// label a number, true or false, or a word such as "correct") and by what is beside it. Cells of a
// table are texts; those that are all numbers count as numbers. `reads_label`: the score, too.
// Throws InputError where several fields may be one of ours, unless they hold the same.
FieldNames usual_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                       bool reads_label = false);

// The same, and logs what it adds, and which fields hold numbers that are read as texts.
FieldNames complete_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                          bool reads_label = false);
FieldNames complete_names(const Json& row, FieldNames names, const std::string& where);

// The table of docs/rows.md, as Markdown.
std::string usual_names_page();

}  // namespace rubric::data
