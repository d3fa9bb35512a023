// What files call the fields of an answer: one table, which docs/rows.md shows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric::data {

// Whether the field of this name, in any case of letters, is usually a text of an answer: one of
// ours, or what else it is called.
bool is_text_field(const std::string& name);

// Whether usual_names() looks at a member of this name, alone or as the first of a path.
bool may_be_field(const std::string& name);

// Whether a column holds texts: under a usual name, or one of `names`.
IsTextColumn text_columns(const FieldNames& names);

// What is read of the rows beside the other fields of an answer.
enum class Reads {
  texts,   // the texts to score
  labels,  // the label, too
  scores,  // scores: label and texts decide no number
};

struct UsualNames {
  FieldNames names;
  std::vector<std::string> undecided;  // a note on each field of ours that may be several
};

// Whether two rows have members of the same names in the same order, as most have.
bool have_same_members(const Json& one, const Json& other);

// The file's names of our fields, added to `names`, from rows in any order. A name is
// taken by what the field holds (a candidate is one text, a reference a text or a list of texts, a
// label a number, true or false, or a word such as "correct") and by what is beside it. Cells of a
// table are texts; those that are all numbers count as numbers. A few lists or objects in a field
// of texts are slips, which row_answer() names. A field of the file is one of ours at most: a
// "label" that holds mostly labels is the label where that is read, else the reference of rows
// without another. Of references, a field whose texts are part of another's in all rows gives way
// to that. Where several fields may be one of ours and do not hold the same, it is not read, with a
// note. Throws InputError if it is the candidate or the reference, or the label where that is read,
// but for Reads::scores; so for numbered references, reference_1, reference_2.
UsualNames usual_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                       Reads reads = Reads::texts);

// The same, and logs what it adds, the notes, and which fields hold numbers that are read as texts.
FieldNames complete_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                          Reads reads = Reads::texts);

// The table of docs/rows.md, as Markdown.
std::string usual_names_page();

}  // namespace rubric::data
