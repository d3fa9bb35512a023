// Files of rows: JSON lines, and tables whose first line names the columns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/json.h"
#include "data/input_format.h"

namespace rubric {

// Calls `visit` with each row, at most `limit` of them (0: all), as an object; of a table its
// members are strings. `where` is "file:line". `format` is jsonl, csv or tsv. Throws InputError for
// a line that is no object, for a row of more or fewer fields than the header names, and as
// parse_csv does.
using RowVisitor = std::function<void(Json row, const std::string& where)>;
void visit_rows(const std::filesystem::path& file, InputFormat format, int64_t limit,
                const RowVisitor& visit);

}  // namespace rubric
