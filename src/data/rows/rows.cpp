#include "data/rows/rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"
#include "data/rows/csv.h"

namespace rubric::data {

namespace {

// Without this check a file with such line ends would be one line.
InputError lone_carriage_returns(const std::string& where) {
  return InputError("lines end in a carriage return alone", where,
                    "end them in line feeds: tr '\\r' '\\n' <FILE >NEW");
}

void visit_lines(const std::filesystem::path& file, const RowVisitor& visit) {
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    line.erase(line.find_last_not_of('\r') + 1);
    if (trim(line).empty()) continue;
    if (line.find('\r') != std::string::npos) throw lone_carriage_returns(lines.where());
    Json row = Json::parse(line, lines.where());
    if (!row.is_object()) {
      throw InputError("expected an object, found " + std::string(row.kind()), lines.where(),
                       "write one object a line; jq -c '.[]' makes lines of an array");
    }
    if (!visit(std::move(row), lines.where())) return;
  }
}

void check_header(const CsvRecord& header, char separator, const std::string& file) {
  const std::string where = file + ":" + std::to_string(header.line);
  std::vector<std::string> names = header.fields;
  for (const std::string& name : names) {
    if (name.find('\r') != std::string::npos) throw lone_carriage_returns(where);
  }
  if (separator == ',' && names.size() == 1 && names[0].find_first_of(";\t") != std::string::npos) {
    throw InputError("the header is one column: it holds no comma", where,
                     "separate the columns by commas, or by tabs with --input-format tsv");
  }
  const auto unnamed = std::find_if(names.begin(), names.end(),
                                    [](const std::string& name) { return name.empty(); });
  if (names.size() > 1 && unnamed != names.end()) {
    throw InputError("column " + std::to_string(unnamed - names.begin() + 1) + " has no name",
                     where,
                     "name it in the first line, or take it out (pandas: to_csv(…, index=False))");
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  throw InputError("two columns are named \"" + *twice + "\"", where,
                   "give each column its own name");
}

void visit_separated(const std::filesystem::path& file, char separator, const RowVisitor& visit) {
  std::vector<CsvRecord> lines =
      parse_csv(read_file(file), separator, Quoting::quoted, file.string());
  if (lines.empty()) return;
  for (std::string& name : lines[0].fields) name = std::string(trim(name));
  check_header(lines[0], separator, file.string());
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string where = file.string() + ":" + std::to_string(lines[i].line);
    if (lines[i].fields.size() != lines[0].fields.size()) {
      throw InputError("the row has " + std::to_string(lines[i].fields.size()) +
                           " fields, the first line names " +
                           std::to_string(lines[0].fields.size()),
                       where);
    }
    Json::Object members;
    for (size_t j = 0; j < lines[i].fields.size(); ++j) {
      members.emplace_back(lines[0].fields[j], lines[i].fields[j]);
    }
    if (!visit(Json(std::move(members)), where)) return;
  }
}

const std::vector<std::string> kFields = {"id",       "constituent", "source",    "passage",
                                          "question", "reference",   "candidate", "score"};

}  // namespace

void require_rows(InputFormat format, const std::filesystem::path& file) {
  if (has_rows(format)) return;
  throw InputError("the format " + std::string(format.name) + " is no file of rows", file.string(),
                   "give rows: jsonl, csv or tsv");
}

void visit_rows(const std::filesystem::path& file, InputFormat format, const RowVisitor& visit) {
  require_rows(format, file);
  if (format == InputFormat::jsonl) return visit_lines(file, visit);
  visit_separated(file, format == InputFormat::csv ? ',' : '\t', visit);
}

void write_rows(const std::filesystem::path& file, const std::vector<Json>& rows) {
  AtomicFile out(file);
  for (const Json& row : rows) out.write(row.dump() + "\n");
  out.commit();
}

const std::vector<std::string>& answer_fields() {
  return kFields;
}

void check_field_names(InputFormat format, const FieldNames& names) {
  if (names.empty() || has_rows(format)) return;
  throw InputError("the format " + std::string(format.name) + " has fixed field names", "--field",
                   "leave --field out");
}

FieldNames parse_assignments(const std::vector<std::string>& assignments,
                             const std::string& example) {
  FieldNames names;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals + 1 == assignment.size()) {
      throw InputError("expected ours=theirs, found \"" + assignment + "\"", "--field",
                       "for example --field " + example + "=prediction");
    }
    const std::string ours = assignment.substr(0, equals);
    if (!names.emplace(ours, assignment.substr(equals + 1)).second) {
      throw InputError("the field \"" + ours + "\" is named twice", "--field " + assignment);
    }
  }
  return names;
}

void require_fields(const FieldNames& names, const std::vector<std::string>& fields) {
  for (const auto& [ours, theirs] : names) {
    if (std::ranges::count(fields, ours) > 0) continue;
    throw InputError("there is no field \"" + ours + "\"", "--field " + ours + "=" + theirs,
                     "the fields are " + join(fields));
  }
}

FieldNames parse_field_names(const std::vector<std::string>& assignments,
                             const std::vector<std::string>& fields) {
  FieldNames names = parse_assignments(assignments, fields.back());
  require_fields(names, fields);
  return names;
}

}  // namespace rubric::data
