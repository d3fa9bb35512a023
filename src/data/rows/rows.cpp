#include "data/rows/rows.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/files/gzip.h"
#include "core/system/log.h"
#include "core/system/parallel.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "data/rows/csv.h"

namespace rubric::data {

namespace {

// Without this check a file with such line ends would be one line.
InputError lone_carriage_returns(const std::string& where) {
  return InputError("lines end in a carriage return alone", where,
                    "end them in line feeds: tr '\\r' '\\n' <FILE >NEW");
}

void visit_array(Json rows, const std::string& file, const RowVisitor& visit) {
  if (!rows.is_array()) {
    throw InputError("expected an array of rows, found " + std::string(rows.kind()), file,
                     "give an array of objects, or name another --input-format");
  }
  int64_t number = 0;
  for (Json& row : rows.array()) {
    const std::string where = file + ", row " + std::to_string(++number);
    if (!row.is_object()) {
      throw InputError("expected an object, found " + std::string(row.kind()), where,
                       "give an array of objects");
    }
    if (!visit(std::move(row), where)) return;
  }
}

// A line that is not blank, and its row or what is wrong with it.
struct Line {
  std::string text, where;
  Json row = {};
  std::exception_ptr problem = {};
};

// False if there is a problem.
bool parse_line(Line& line) try {
  // Binary data may have such a byte, too.
  if (line.text.find('\r') != std::string::npos && is_valid_utf8(line.text)) {
    throw lone_carriage_returns(line.where);
  }
  line.row = Json::parse(line.text, line.where);
  if (line.row.is_object()) return true;
  throw InputError("expected an object, found " + std::string(line.row.kind()), line.where,
                   "write one object a line; jq -c '.[]' makes lines of an array");
} catch (...) {
  line.problem = std::current_exception();
  return false;
}

// Parses on all cores, as parsing takes most of the time of reading, and visits in order: of two
// problems the first line's is told.
bool visit_parsed(std::vector<Line>& lines, size_t bytes, const RowVisitor& visit) {
  constexpr size_t kOperationsOfAByte = 10;
  parallel_for(lines.size(), bytes * kOperationsOfAByte, [&](size_t first, size_t end) {
    // Nothing behind a problem is visited.
    for (size_t i = first; i < end; ++i) {
      if (!parse_line(lines[i])) break;
    }
  });
  for (Line& line : lines) {
    if (line.problem) std::rethrow_exception(line.problem);
    if (!visit(std::move(line.row), line.where)) return false;
  }
  lines.clear();
  return true;
}

// Standard input has no name that would tell an array of rows from lines of JSON, and a file may
// have the wrong one: what begins like an array is read as one.
void visit_lines(const std::filesystem::path& file, const RowVisitor& visit) {
  constexpr size_t kBytesAtOnce = size_t{1} << 22;
  LineReader reader(file);
  std::vector<Line> lines;
  bool is_first = true;
  size_t bytes = 0;
  for (std::string line; reader.next(line);) {
    line.erase(line.find_last_not_of('\r') + 1);
    if (trim(line).empty()) continue;
    if (is_first && trim(line).front() == '[') {
      for (std::string more; reader.next(more);) line += "\n" + more;
      return visit_array(Json::parse(line, file.string()), file.string(), visit);
    }
    is_first = false;
    bytes += line.size() + sizeof(Line);
    lines.push_back({std::move(line), reader.where()});
    if (bytes < kBytesAtOnce) continue;
    if (!visit_parsed(lines, bytes, visit)) return;
    bytes = 0;
  }
  visit_parsed(lines, bytes, visit);
}

void check_header(const CsvRecord& header, char separator, const std::string& file) {
  const std::string where = file + ":" + std::to_string(header.line);
  std::vector<std::string> names = header.fields;
  for (const std::string& name : names) {
    if (name.find('\r') != std::string::npos) throw lone_carriage_returns(where);
  }
  if (names.size() == 1 && separator != '\t' && names[0].find('\t') != std::string::npos) {
    throw InputError("the header is one column, with tabs", where,
                     "read columns that tabs separate with --input-format tsv");
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

// A file of commas is one of semicolons if its header has these alone: where a comma is the sign of
// decimals Excel writes them.
char separator_of(std::string_view text, char separator) {
  const std::string_view header = text.substr(0, text.find('\n'));
  const bool has_semicolons = header.find(';') != header.npos && header.find(',') == header.npos;
  return separator == ',' && has_semicolons ? ';' : separator;
}

// "3,5" as "3.5"; nullopt for what is not a number with at most one comma in it.
std::optional<std::string> with_point(std::string_view cell) {
  std::string number(trim(cell));
  const size_t comma = number.find(',');
  if (comma != std::string::npos) number[comma] = '.';
  if (number.find_first_not_of("+-.eE0123456789") != std::string::npos) return std::nullopt;
  if (!parse_cell(number)) return std::nullopt;
  return number;
}

// Columns of semicolon-separated tables that hold only numbers, some with a decimal comma, get
// points; texts that look like numbers stay.
void replace_decimal_commas(std::vector<CsvRecord>& lines, const IsTextColumn& is_text) {
  std::vector<std::string> changed;
  for (size_t column = 0; column < lines[0].fields.size(); ++column) {
    if (is_text && is_text(lines[0].fields[column])) continue;
    bool has_comma = false;
    const bool has_only_numbers =
        std::all_of(lines.begin() + 1, lines.end(), [&](const auto& line) {
          if (column >= line.fields.size() || trim(line.fields[column]).empty()) return true;
          has_comma = has_comma || line.fields[column].find(',') != std::string::npos;
          return with_point(line.fields[column]).has_value();
        });
    if (!has_only_numbers || !has_comma) continue;
    changed.push_back(lines[0].fields[column]);
    for (size_t i = 1; i < lines.size(); ++i) {
      if (column >= lines[i].fields.size()) continue;
      std::string& cell = lines[i].fields[column];
      if (cell.find(',') != std::string::npos) cell = *with_point(cell);
    }
  }
  if (!changed.empty()) log_info("decimal commas are read as points in: " + join(changed));
}

void visit_table(const std::filesystem::path& file, char usual, const RowVisitor& visit,
                 const IsTextColumn& is_text) {
  const std::string text = read_text(file);
  const char separator = separator_of(text, usual);
  std::vector<CsvRecord> lines = parse_csv(text, separator, Quoting::quoted, file.string());
  if (lines.empty()) return;
  for (std::string& name : lines[0].fields) name = std::string(trim(name));
  check_header(lines[0], separator, file.string());
  if (separator == ';') replace_decimal_commas(lines, is_text);
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string where = file.string() + ":" + std::to_string(lines[i].line);
    if (lines[i].fields.size() != lines[0].fields.size()) {
      throw InputError("the row has " + counted(std::ssize(lines[i].fields), "field") +
                           ", the first line names " + std::to_string(lines[0].fields.size()),
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
  throw InputError("the format " + std::string(format.name) + " is not a format of rows",
                   file.string(), "give rows: jsonl, json, csv or tsv");
}

void visit_rows(const std::filesystem::path& file, InputFormat format, const RowVisitor& visit,
                const IsTextColumn& is_text) {
  require_rows(format, file);
  if (is_table(format)) return visit_table(file, format.separator, visit, is_text);
  if (format == InputFormat::kJson) {
    return visit_array(Json::parse_file(file), file.string(), visit);
  }
  visit_lines(file, visit);
}

void write_rows(const std::filesystem::path& file, const std::vector<Json>& rows) {
  if (file.extension() == ".gz") {
    std::string lines;
    for (const Json& row : rows) lines += row.dump() + "\n";
    return write_file(file, gzip(lines));
  }
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
    const std::string assignment = "--field " + ours + "=" + theirs;
    if (std::ranges::count(fields, ours) == 0) {
      std::string hint = "the fields are " + join(fields);
      if (std::ranges::count(fields, theirs) > 0) {
        hint = "our name comes first: perhaps --field " + theirs + "=" + ours + "; " + hint;
      }
      throw InputError("there is no field \"" + ours + "\"", assignment, hint);
    }
    const bool names_another = std::ranges::any_of(fields, [&](const std::string& field) {
      return theirs.find("," + field + "=") != theirs.npos;
    });
    if (names_another) {
      throw InputError("more than one field is named at once", assignment,
                       "give each a --field of its own");
    }
  }
}

FieldNames parse_field_names(const std::vector<std::string>& assignments,
                             const std::vector<std::string>& fields) {
  FieldNames names = parse_assignments(assignments, fields.back());
  require_fields(names, fields);
  return names;
}

}  // namespace rubric::data
