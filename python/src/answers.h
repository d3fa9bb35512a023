// Python's lists of texts as answers.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include <nanobind/nanobind.h>

#include "rubric/records.h"

namespace rubric::python {

// Lists of equal lengths: of texts; references of texts or of lists of texts; passages and
// questions are None where there are none. `reference_ends` is None, or says where the references
// of each row end in `references`, which then is a list of all of them.
struct AnswerColumns {
  nanobind::list candidates, references;
  nanobind::object reference_ends, passages, questions;

  size_t size() const { return candidates.size(); }
};

// Raises rubric.InputError naming row and field of the first value that is no text, so that a call
// does not fail after it has scored the rows before. Arrays and what their texts hold are left to
// read_answers().
void check_types(const AnswerColumns& columns);

// Fills `answers` with the rows from `first` on, at least one, fewer where texts are long; gives
// those that it filled. Reuses their memory. The id of an answer is its row, counted from 0. Raises
// rubric.InputError naming row and field for what is no text. On any thread that holds the GIL.
std::span<const Answer> read_answers(const AnswerColumns& columns, size_t first,
                                     std::span<Answer> answers);

// References of a table, whose texts that are lists (data::parse_list_cell) become lists. Raises
// rubric.InputError as that does.
nanobind::list with_lists(const nanobind::list& references);

// `names`, and what else a table whose first row is the JSON `row` calls the fields of an answer
// (data::complete_names). Throws InputError as that does.
std::map<std::string, std::string> field_names(const std::string& row,
                                               const std::map<std::string, std::string>& names);

}  // namespace rubric::python
