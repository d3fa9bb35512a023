// Files of rows (JSON lines, CSV, TSV): the names of their fields, reading and writing them, and
// the "scores" of a row.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// Maps our field names to the file's, where they differ: {"candidate", "prediction"}.
using FieldNames = std::map<std::string, std::string>;

// Our names of the fields of an answer.
const std::vector<std::string>& answer_fields();

// Throws InputError when `names` renames another field than `fields`, or two at once, as
// "candidate=prediction,reference=gold" does.
void require_fields(const FieldNames& names, const std::vector<std::string>& fields);

// Of assignments "candidate=prediction"; only `fields` can be renamed.
FieldNames parse_field_names(const std::vector<std::string>& assignments,
                             const std::vector<std::string>& fields = answer_fields());

// Throws InputError when `names` renames fields of a format whose field names are fixed.
void check_field_names(InputFormat format, const FieldNames& names);

// Called with each row, an object. The cells of a table are strings, unchanged; the names of its
// columns are trimmed. `where` is "file:line". Returning false stops reading.
using RowVisitor = std::function<bool(Json row, const std::string& where)>;

// Throws InputError for the format of a data set, which is not a file of rows.
void require_rows(InputFormat format, const std::filesystem::path& file);

// Whether the column of this name holds texts, also where they look like numbers.
using IsTextColumn = std::function<bool(const std::string& name)>;

// Reads a file of rows, as read_text() does. A CSV file whose header has semicolons and no comma is
// separated by these; there a column of numbers with decimal commas gets points, unless it holds
// texts. Throws InputError as require_rows() does, and for a line that is not an object, a row with
// more or fewer cells than the first line has names, two columns with one name, a column without a
// name, and lines that end in a carriage return only.
void visit_rows(const std::filesystem::path& file, InputFormat format, const RowVisitor& visit,
                const IsTextColumn& is_text = nullptr);

// Whether the file's name, before ".gz", ends with ".csv" or ".tsv".
bool is_table_name(const std::filesystem::path& file);

// Writes JSON lines or, by the file's name, a table; compressed if the name ends with ".gz". A
// table has a column for each score, under its own name, which takes the place of a field of that
// name, and for each other field; for a field of an object, in objects, too, under the dotted name
// by which find_field() finds it. Lists are JSON texts, null is an empty cell. The file appears
// whole or not at all. Throws InputError for a table with two columns of one name, and for a .tsv
// cell with both tabs and line breaks, which no reader takes.
void write_rows(const std::filesystem::path& file, const std::vector<Json>& rows);

// Throws these errors alone, before the scores of the rows are computed.
void require_cells(const std::filesystem::path& file, const std::vector<Json>& rows);

// The file's name of our field.
std::string field_name(const FieldNames& names, const std::string& ours);

// A value of a row, which must outlive it, or one that was made of several; null: there is none.
using FieldValue = std::shared_ptr<const Json>;

// The row's field of this name or, without one, what the name leads to through objects and arrays:
// "filtered_resps.0" is the first item of "filtered_resps". A name behind a list takes that field
// of each item: "answers.text" of {"answers": [{"text": "a"}, {"text": "b"}]} is ["a", "b"].
FieldValue find_field(const Json& row, const std::string& name);

// A text, or a number, true or false as JSON writes it; nullopt for any other value.
std::optional<std::string> scalar_text(const Json& value);

// The text of such a value, or those of the items of a list, without nulls; nullopt for any other.
std::optional<std::vector<std::string>> scalar_texts(const Json& value);

// Throws InputError, which names all of our fields that the row lacks and lists the row's fields.
void require_fields(const Json& row, const FieldNames& names, const std::vector<std::string>& ours,
                    const std::string& where);

// The row's field `name` as text, a number by its digits; "" if it is missing. Throws InputError.
std::string optional_text(const Json& row, const std::string& name, const std::string& where);

// The same of a field that names something (names.h): white space at both ends is no part of it.
std::string optional_name(const Json& row, const std::string& name, const std::string& where);

// A label or a score that is computed with. Statistics add up fourth powers, so a value is below
// 10⁷⁰ in size: those of 10²⁷ rows are finite. Throws InputError, which calls the value `what`.
inline constexpr double kLargestValue = 1e70;
double require_computable(double value, const std::string& what, const std::string& where);

// The field's text, which must not be blank. Throws InputError.
std::string required_text(const Json& row, const std::string& field, const std::string& where,
                          const std::string& what_to_do);

// The texts of the array `field`. Throws InputError.
std::vector<std::string> required_texts(const Json& row, const std::string& field,
                                        const std::string& where);

// The field's text, which must not be blank, trimmed. Throws InputError.
std::string trimmed_text(const Json& row, const std::string& field, const std::string& where);

// Whether a program has logged an error in place of the row's answer: a member "error", which is a
// text, an object or true.
bool has_failed(const Json& row);

// Whether a value is missing, null, an empty cell, list or object.
bool is_missing(const Json* value);
inline bool is_missing(const FieldValue& value) {
  return is_missing(value.get());
}

// The same of a number, which is also missing as a text that programs write for none: NA, NaN, N/A.
bool is_missing_number(const Json* value);

// The same of a label, which is also missing as a word of people for a judgement that they did not
// give: -, ?, unknown, skip, unsure. No such word is a label: who has a third one writes all labels
// as numbers.
bool lacks_label(const Json* value);

// The words of a label that is missing, and those that stand for 1 or 0 (below), in small letters.
std::vector<std::string> words_of_no_label();
std::vector<std::string> label_words();

// The number that a label or a score stands for: a number, true or false (1 and 0), each also as
// text, or a word: yes and no, right and wrong, correct and incorrect, in any case of letters.
// is_value(): whether it is one of these. require_value() throws InputError for anything else; the
// message calls it `what`, and ends with `advice`.
bool is_value(const Json& value);
double require_value(const Json& value, const std::string& what, const std::string& where,
                     const std::string& advice = "");

// Tells labels of one file that mix words with numbers of another scale: 5, "yes", 3, "no".
class LabelWords {
 public:
  // `value` is what require_value() reads of the label. Throws InputError where this label is a
  // word, true or false, and an earlier one a number that is neither 0 nor 1, or the other way
  // round.
  void add(const Json& label, double value, const std::string& where);

 private:
  std::string word_, number_;  // places of the first of each; "": none
  double value_ = 0;           // of that number
};

// Throws InputError when `member` of the row exists and does not hold scores.
void check_scores_member(const Json& row, const std::string& member, const std::string& where);

// Throws InputError when the row has a field of this name, which is to be added.
void require_no_field(const Json& row, const std::string& name, const std::string& where);

// Merges scores into `member` of the row.
void add_row_scores(Json& row, const std::string& member, const std::vector<std::string>& names,
                    const std::vector<double>& values);

// The members of a "scores" object except `names`.
Json other_scores(const Json& scores, const std::vector<std::string>& names);

}  // namespace rubric::data
