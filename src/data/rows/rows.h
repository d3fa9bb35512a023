// How a file of rows is written, and what it calls our fields.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"

namespace rubric::data {

// Rows of one's own: jsonl, csv, tsv. Published data sets: mocha, evouna, stsb.
enum class InputFormat { jsonl, mocha, csv, tsv, evouna, stsb };

// The names of all formats: jsonl, mocha, ….
const std::vector<std::string>& input_format_names();

// The format by name, or for "" by the file's name: .jsonl, .json (MOCHA's nesting), .csv, .tsv.
// `option` is what the user names it with.
InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option = "--input-format");

// jsonl, csv or tsv where the file's name says so, else mocha.
InputFormat rows_or_mocha(const std::filesystem::path& file);

// Whether a file of this format is rows with fields that have names: jsonl, csv, tsv.
bool has_rows(InputFormat format);

// Our field names to the file's own, where they differ: {"candidate", "prediction"}.
using FieldNames = std::map<std::string, std::string>;

// The fields of an answer under our names.
const std::vector<std::string>& answer_fields();

// "candidate=prediction" as given on the command line, of `fields` that have names. Throws
// InputError.
FieldNames parse_field_names(const std::vector<std::string>& assignments,
                             const std::vector<std::string>& fields = answer_fields());

// Throws InputError when fields are named for a format whose fields have fixed names.
void check_field_names(InputFormat format, const FieldNames& names);

// Files of rows: JSON lines, and tables whose first line names the columns.

// Called with each row, an object; the cells of a table are strings as they
// stand, its names without the blanks around them. `where` is "file:line". False
// ends the reading.
using RowVisitor = std::function<bool(Json row, const std::string& where)>;

// Throws InputError for a data set's own format, which is no file of rows.
void require_rows(InputFormat format, const std::filesystem::path& file);

// Reads a JSONL, CSV or TSV file. Throws InputError as require_rows() does, and for a line that is
// no object, a row with more or fewer cells than the first line names, two columns of one name, a
// column without a name, and lines that end in a carriage return alone.
void visit_rows(const std::filesystem::path& file, InputFormat format, const RowVisitor& visit);

// JSON lines. The file appears whole or not at all.
void write_rows(const std::filesystem::path& file, const std::vector<Json>& rows);

// The fields of a row by our names, whatever the file calls them.

// What the file calls our field.
std::string field_name(const FieldNames& names, const std::string& ours);

// Throws InputError, naming the row's own fields, when the row lacks our field.
void require_field(const Json& row, const FieldNames& names, const std::string& ours,
                   const std::string& where);

// The file's field `name` as text, a number by its digits; "" where there is none. Throws
// InputError.
std::string optional_text(const Json& row, const std::string& name, const std::string& where);

// The field's text, which holds more than white space. Throws InputError.
std::string required_text(const Json& row, const std::string& field, const std::string& where,
                          const std::string& what_to_do);

// The same without the blanks around it.
std::string trimmed_text(const Json& row, const std::string& field, const std::string& where);

// Scores of a row, beside its own fields.

// Throws InputError when the row has something else than scores under the name that they get.
void check_scores_member(const Json& row, const std::string& member, const std::string& where);

// Merges scores with those that `member` of the row holds already.
void add_row_scores(Json& row, const std::string& member, const std::vector<std::string>& names,
                    const std::vector<double>& values);

// The members of a "scores" object but for `names`.
Json other_scores(const Json& scores, const std::vector<std::string>& names);

}  // namespace rubric::data
