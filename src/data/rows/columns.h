// Tables of published data sets, whose columns are found by name and may be more than we read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/rows/csv.h"

namespace rubric {

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

}  // namespace rubric
