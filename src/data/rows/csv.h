// Comma- and tab-separated files (RFC 4180).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::data {

struct CsvRecord {
  std::vector<std::string> fields;
  int64_t line = 0;  // of its first character, from 1
};

// Whether a field that begins with a quote is quoted, and then holds separators, line breaks and
// doubled quotes. Spreadsheets, pandas and Python's csv module quote in files separated by tabs,
// too; some published data sets write quotes there as plain text.
enum class Quoting { quoted, plain };

// All records. Throws InputError, with `where` and the line at which a field begins, for a quote
// that is not closed or is followed by text (in a file of commas a semicolon or tab is named), for
// a field quoted between tabs that holds both line breaks and tabs (its quote is plain text, most
// likely, and would swallow rows), and for text that is not UTF-8.
std::vector<CsvRecord> parse_csv(std::string_view text, char separator, Quoting quoting,
                                 const std::string& where);

// Tables of published data sets, whose columns are found by name and may be more than we read.

struct ColumnTable {
  std::string file;
  std::vector<std::string> names;  // of the columns; perhaps "", as pandas calls its row numbers
  std::vector<CsvRecord> rows;     // as many fields each as there are names
};

// A file whose first line names the columns: separated by commas and quoted or, when it is called
// .tsv, by tabs, with quotes as plain text. Throws InputError for an empty file and a row of
// another number of fields.
ColumnTable read_columns(const std::filesystem::path& file);

bool has_column(const ColumnTable& table, const std::string& name);

// The place of a column. Throws InputError, saying that such files have it because they are
// `form` ("ECQA's CSV"), when no column or more than one has the name.
size_t column_of(const ColumnTable& table, const std::string& name, const std::string& form);

// "file:line" of a row.
std::string row_place(const ColumnTable& table, const CsvRecord& row);

}  // namespace rubric::data
