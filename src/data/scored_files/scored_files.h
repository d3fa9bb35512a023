// The rows of a scored file, of whatever form.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric {

struct ScoredSource {
  std::filesystem::path file;
  InputFormat format;
  std::vector<Json> rows;
  std::vector<std::string> wheres;  // of each row, for messages
  std::vector<std::string> ids;     // the field "id", else the row's number in the file

  bool is_table() const { return format == InputFormat::csv || format == InputFormat::tsv; }
};

// In MOCHA's nesting every row also has the fields "constituent", "id" and "source". Throws
// InputError as the readers do, and for a file without rows.
ScoredSource read_scored_source(const std::filesystem::path& file, InputFormat format);

// A value that says nothing: null, or an empty cell.
bool is_blank(const Json* value);

// A number, the text of one, or true and false (1 and 0) also as text. Throws InputError with
// `what` it is for anything else.
double require_value(const Json& value, const std::string& what, const std::string& where);

// A table's columns that hold numbers and nothing else, but for an answer's fields (a reference may
// be a number, too) and those in `others`. NaN and infinity count as numbers here, so that who
// reads the column names them. What has no value, or mostly numbers, is told to be left out.
std::vector<std::string> number_columns(const ScoredSource& source,
                                        const std::vector<std::string>& others = {});

// The field "constituent" of a row; "" where it has none.
std::string constituent_of(const Json& row);

}  // namespace rubric
