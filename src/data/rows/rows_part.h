// Files of rows: JSON lines, and tables whose first line names the columns.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric {

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

}  // namespace rubric
