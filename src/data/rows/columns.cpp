#include "data/rows/columns.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric {

ColumnTable read_columns(const std::filesystem::path& file) {
  const bool has_tabs = file.extension() == ".tsv";
  ColumnTable table{file.string(), {}, {}};
  table.rows = parse_csv(read_file(file), has_tabs ? '\t' : ',',
                         has_tabs ? Quoting::plain : Quoting::quoted, table.file);
  if (table.rows.empty()) throw InputError("the file is empty", table.file);
  table.names = std::move(table.rows.front().fields);
  table.rows.erase(table.rows.begin());
  for (const CsvRecord& row : table.rows) {
    if (row.fields.size() == table.names.size()) continue;
    throw InputError("the row has " + std::to_string(row.fields.size()) +
                         " fields, the first line names " + std::to_string(table.names.size()),
                     row_place(table, row));
  }
  return table;
}

bool has_column(const ColumnTable& table, const std::string& name) {
  return std::ranges::find(table.names, name) != table.names.end();
}

size_t column_of(const ColumnTable& table, const std::string& name, const std::string& form) {
  const auto found = std::ranges::find(table.names, name);
  if (found == table.names.end()) {
    std::vector<std::string> quoted;
    for (const std::string& each : table.names) quoted.push_back(json_quote(each));
    throw InputError("the column " + json_quote(name) + " is missing", table.file + ":1",
                     "give " + form + "; the columns are " + join_some(quoted));
  }
  if (std::find(found + 1, table.names.end(), name) != table.names.end()) {
    throw InputError("two columns are named " + json_quote(name), table.file + ":1",
                     "give each column its own name");
  }
  return static_cast<size_t>(found - table.names.begin());
}

std::string row_place(const ColumnTable& table, const CsvRecord& row) {
  return table.file + ":" + std::to_string(row.line);
}

}  // namespace rubric
