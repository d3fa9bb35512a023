// Parses comma- and tab-separated files (RFC 4180), and finds the columns of published tables by
// name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace rubric::data {

struct CsvRecord {
  std::vector<std::string> fields;
  int64_t line = 0;  // of its first character, from 1
};

// Whether a field that begins with a quote is quoted, so that it may contain separators, line
// breaks and doubled quotes. Spreadsheets, pandas and Python's csv module also quote in
// tab-separated files; some published data sets use quotes there as plain text.
enum class Quoting { quoted, plain };

// Parses all records. Blank lines are left out; in a table whose first record has one field those
// between others are empty fields. Throws InputError, with `where` and the line at which the field
// begins, for a quote that is not closed or is followed by text (in a comma-separated file the
// message names a semicolon or tab), for a quoted field of a tab-separated file that contains both
// line breaks and tabs (its quote is most likely plain text and would swallow rows), and for text
// that is not UTF-8.
std::vector<CsvRecord> parse_csv(std::string_view text, char separator, Quoting quoting,
                                 const std::string& where);

// A field as parse_csv() reads it with Quoting::quoted.
std::string csv_field(std::string_view text, char separator = ',');

// Makes an error to throw: a row has `cells`, and the first line `names`.
InputError wrong_cells(size_t cells, size_t names, const std::string& where);

// A table of a published data set; it may have more columns than we read.
struct ColumnTable {
  std::string file;
  std::vector<std::string> names;  // of the columns; may be "", as pandas names its row numbers
  std::vector<CsvRecord> rows;     // each with names.size() fields
};

// Reads a file whose first line names the columns: a .tsv file is separated by tabs with quotes as
// plain text, any other file by commas with quoted fields. Throws InputError for an empty file and
// a row with another number of fields.
ColumnTable read_columns(const std::filesystem::path& file);

bool has_column(const ColumnTable& table, const std::string& name);

// The index of a column. Throws InputError when no column or more than one has the name; the
// message says that `form` ("ECQA's CSV") has such a column.
size_t column_of(const ColumnTable& table, const std::string& name, const std::string& form);

// "file:line" of a row.
std::string row_place(const ColumnTable& table, const CsvRecord& row);

}  // namespace rubric::data
