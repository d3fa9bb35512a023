// Converts answers and minimal pairs to rows and back, reads files of them, and finds which fields
// of a file's rows are those of an answer. The only place that knows the names of a row's fields.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/answers/usual_names.h"
#include "data/records.h"
#include "data/rows/missing_values.h"
#include "data/rows/rows.h"
#include "data/tasks/label_scale.h"

namespace rubric::data {

// Reads the answer of a row with the fields reference (a text or a list), candidate (a text or a
// list of one) and optionally id, constituent, source, passage and question, renamed by `names`. An
// empty list of references is the reference "", no answer, as in SQuAD 2.0; an empty list of
// candidates is a missing one. Nulls in a list are left out of it. Of the other fields a list of
// one is its item; a longer list or an object is read as its JSON where it is an id, a constituent
// or a source, else as "", and `missing` counts it. The default id is `number`. Does not read the
// human score: scoring does not need it, and a column of that name may hold anything. nullopt: the
// row is left out (`missing`). Throws InputError naming `where` and the field.
std::optional<Answer> row_answer(const Json& row, const FieldNames& names, int64_t number,
                                 const std::string& where, MissingValues& missing);
Answer row_answer(const Json& row, const FieldNames& names, int64_t number,
                  const std::string& where);  // Missing::automatic; a field that is no text throws

// The human label of a row, as require_value() reads it; nullopt if it has none. Throws InputError.
std::optional<double> row_label(const Json& row, const FieldNames& names, const std::string& where);

// Reads a minimal pair: candidate1, the better one, and candidate2 (optionally score1 and score2)
// replace candidate and score. `missing` should be of Missing::error. is_row_pair() tells whether a
// row is one.
AnswerPair row_pair(const Json& row, FieldNames names, int64_t number, const std::string& where,
                    MissingValues& missing);
bool is_row_pair(const Json& row, const FieldNames& names);

// The row that row_answer and row_label read, without empty fields.
Json answer_row(const Answer& answer);

// How the rows of a file become answers.
struct AnswerOptions {
  Missing missing = Missing::automatic;
  std::string reference_separator = "";  // between several answers in one text; "": it is one
  std::string separator_option = "--reference-separator ";  // that a warning tells to add
  enum class Label { ignored, read, needed };
  Label label = Label::read;               // `needed`: a row without one lacks it
  int64_t first_rows = 0;                  // that tell the names of the fields; 0: all do
  std::filesystem::path predictions = {};  // of a format with read_predicted
  std::vector<std::filesystem::path> references = {};  // of a format with read_lines
};

// Reads all answers of a file in any format, with their human scores and, for MOCHA's instances and
// the rows that `rubric split` makes of them, each annotator's rating. Throws InputError naming
// file, row and field, and for a file without rows. Warns of rows that are copies.
std::vector<Answer> read_answers(const std::filesystem::path& file, InputFormat format,
                                 const FieldNames& names = {}, const AnswerOptions& options = {});

// As read_answers, with the whole row of each answer, its fields under our names. Rows of EVOUNA
// and STS-B hold only the answer. In a file in which some rows have a label one is missing from the
// others; with Missing::empty these stay without. Also throws InputError when two fields would get
// the same name.
struct AnswerRows {
  std::vector<Answer> answers;
  std::vector<Json> rows;           // of each answer
  std::vector<std::string> places;  // of each answer, for messages
};
AnswerRows read_answers_with_rows(const std::filesystem::path& file, InputFormat format,
                                  const FieldNames& names = {}, const AnswerOptions& options = {});

// Reads the minimal pairs of a .jsonl, .csv or .tsv file, or of a file in MOCHA's nesting.
std::vector<AnswerPair> read_minimal_pairs(const std::filesystem::path& file);

// Warns of human scores that are far from all others, as warn_of_stray_labels() does.
void warn_of_stray_scores(std::span<const Answer> answers, const LabelText& place,
                          const std::string& option = "");

// Makes an array of the field `reference` of a row where its text holds a list (parse_list_cell).
// Throws InputError as that does.
void read_reference_list(Json& row, const std::string& reference, const std::string& where);

// Called with each row and the names of its fields, those of complete_names(). Returning false
// stops reading.
using NamedRowVisitor =
    std::function<bool(Json row, const FieldNames& names, const std::string& where)>;

// visit_rows() with the names that all rows tell, in any order. All rows are held.
void visit_named_rows(const std::filesystem::path& file, InputFormat format,
                      const FieldNames& names, Reads reads, const NamedRowVisitor& visit);

// The same of a file whose rows are not held: the first thousand tell the names and, where all tell
// others in the end, `restart` forgets what was visited, and the file is read again.
void stream_named_rows(const std::filesystem::path& file, InputFormat format,
                       const FieldNames& names, Reads reads, const NamedRowVisitor& visit,
                       const std::function<void()>& restart);

// Called with the answer of each row, or the two of a minimal pair, the better first, and the row.
using AnswerVisitor = std::function<bool(std::vector<Answer> answers, Json row,
                                         const FieldNames& names, const std::string& where)>;

// Reads the answers of a file in any format. `row` is the instance of MOCHA's nesting, and of
// another data set what answer_row() makes of the answer. Rows are read by row_answer(), row_pair()
// and, unless `options` ignores it, row_label(), with the rules for missing values and separators,
// of which a warning says what they did. Lists in cells of a table's references are read
// (parse_list_cell), also in the texts of samples of lm-evaluation-harness, whose rows get the
// fields id and constituent. Returns what the options changed, for signatures:
// "|missing:drop|refsep:/". Throws InputError as these do, for a row without a field that `names`
// renames, and for files of `options` that the format lacks or needs.
std::string visit_answers(const std::filesystem::path& file, InputFormat format,
                          const FieldNames& names, const AnswerOptions& options,
                          const AnswerVisitor& visit);

}  // namespace rubric::data
