// Python's lists of texts as answers.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "rubric/records.h"

namespace rubric::python {

// The places behind the last reference of each row, in a list of the references of all rows.
using ReferenceEnds = std::optional<std::vector<size_t>>;

// Lists of equal lengths: of texts; references of texts or of lists of texts; passages and
// questions are None where there are none. With `reference_ends` the references are texts alone.
struct AnswerColumns {
  nanobind::list candidates, references;
  ReferenceEnds reference_ends;
  nanobind::object passages, questions;

  size_t size() const { return candidates.size(); }
};

// The columns of a call of the package. Throws Error where `reference_ends` does not share all
// references out among the candidates.
AnswerColumns answer_columns(const nanobind::list& candidates, const nanobind::list& references,
                             ReferenceEnds reference_ends, const nanobind::object& passages,
                             const nanobind::object& questions);

// Raises rubric.InputError naming row and field of the first value that is no text (or, of passages
// and questions, nothing), so that a call does not fail after it has scored the rows before. Arrays
// and what their texts hold are left to read_answers().
void check_types(const AnswerColumns& columns);

// Fills `answers` with the rows from `first` on, at least one, fewer where texts are long; gives
// those that it filled. Reuses their memory. The id of an answer is its row, counted from 0. Raises
// rubric.InputError naming row and field for what is no text. On any thread that holds the GIL.
std::span<Answer> read_answers(const AnswerColumns& columns, size_t first,
                               std::span<Answer> answers);

// Whether a passage or question, which read_answers() gives as "", is missing: None, NaN and such.
bool is_missing_at(const nanobind::object& column, size_t row);

// References of a table, whose texts that are lists (data::parse_list_cell) become lists. Raises
// rubric.InputError as that does.
nanobind::list with_lists(const nanobind::list& references);

// `names`, and what else a table with these rows, each as JSON, calls the fields of an answer
// (data::complete_names). Throws InputError as that does.
std::map<std::string, std::string> field_names(const std::vector<std::string>& rows,
                                               const std::map<std::string, std::string>& names);

// The answers of a file, in any format that the command `score` reads without further files, and
// each one's row as JSON: as the file has it or, of a data set's format, its fields under our
// names. `names` are the file's names of fields by ours. Throws InputError naming file, row and
// field. `reference_separator` is between several references in one text, "" where there are none.
// `missing` is a rule for missing values, "" for the usual (data::missing_named).
struct FileAnswers {
  std::vector<Answer> answers;
  std::vector<std::string> rows;
  std::string signature;  // what the options changed (data::visit_answers)
};
FileAnswers read_answer_file(const std::string& file,
                             const std::map<std::string, std::string>& names,
                             const std::string& missing, const std::string& reference_separator);

// The warnings about copied rows and documents with several (data::repeated_documents). Rows are
// JSON with the fields of an answer and those that may distinguish rows of one document.
std::vector<std::string> repeated_documents(const std::vector<std::string>& rows);

}  // namespace rubric::python
