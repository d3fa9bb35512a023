#include "data/rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "data/csv.h"

namespace rubric {
namespace {

void check_header(const CsvRecord& header, char separator, const std::string& file) {
  const std::string where = file + ":" + std::to_string(header.line);
  std::vector<std::string> names = header.fields;
  if (separator == ',' && names.size() == 1 && names[0].find_first_of(";\t") != std::string::npos) {
    throw InputError("the header is one column: it holds no comma", where,
                     "separate the columns by commas, or by tabs with --input-format tsv");
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  throw InputError("two columns are named \"" + *twice + "\"", where,
                   "give each column its own name");
}

void visit_lines(const std::filesystem::path& file, int64_t limit, const RowVisitor& visit) {
  LineReader lines(file);
  int64_t rows = 0;
  for (std::string line; (limit == 0 || rows < limit) && lines.next(line);) {
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    Json row = Json::parse(line, lines.where());
    if (!row.is_object()) {
      throw InputError("expected an object, found " + std::string(row.kind()), lines.where(),
                       "write one object a line; jq -c '.[]' makes lines of an array");
    }
    visit(std::move(row), lines.where());
    ++rows;
  }
}

void visit_table(const std::filesystem::path& file, char separator, int64_t limit,
                 const RowVisitor& visit) {
  const std::vector<CsvRecord> lines = parse_csv(read_file(file), separator, file.string());
  if (lines.empty()) return;
  const std::vector<std::string>& names = lines[0].fields;
  check_header(lines[0], separator, file.string());
  for (size_t i = 1; i < lines.size() && (limit == 0 || static_cast<int64_t>(i) <= limit); ++i) {
    const std::string where = file.string() + ":" + std::to_string(lines[i].line);
    if (lines[i].fields.size() != names.size()) {
      throw InputError("the row has " + std::to_string(lines[i].fields.size()) +
                           " fields, the first line names " + std::to_string(names.size()),
                       where);
    }
    Json::Object members;
    for (size_t j = 0; j < names.size(); ++j) members.emplace_back(names[j], lines[i].fields[j]);
    visit(Json(std::move(members)), where);
  }
}

}  // namespace

void visit_rows(const std::filesystem::path& file, InputFormat format, int64_t limit,
                const RowVisitor& visit) {
  if (format == InputFormat::jsonl) return visit_lines(file, limit, visit);
  visit_table(file, format == InputFormat::csv ? ',' : '\t', limit, visit);
}

}  // namespace rubric
