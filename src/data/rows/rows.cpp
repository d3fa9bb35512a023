#include "data/rows/rows.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "config/request.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/files/gzip.h"
#include "core/system/log.h"
#include "core/system/parallel.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "data/rows/csv.h"
#include "data/rows/foreign_files.h"
#include "data/rows/json_rows.h"

namespace rubric::data {

namespace {

// Without this check a file with such line ends would be one line.
InputError lone_carriage_returns(const std::string& where) {
  return InputError("lines end in a carriage return alone", where,
                    "end them in line feeds: tr '\\r' '\\n' <FILE >NEW");
}

// `where_of_one`: of the row, if it is one alone.
void visit_document(Json document, const std::string& file, const InputFormat& format,
                    const RowVisitor& visit, const std::string& where_of_one = "") {
  Json::Array rows =
      rows_of_document(std::move(document), file, format.may_be_by_key, !where_of_one.empty());
  int64_t number = 0;
  for (Json& row : rows) {
    ++number;
    const std::string where = rows.size() == 1 && !where_of_one.empty()
                                  ? where_of_one
                                  : file + ", row " + std::to_string(number);
    if (!row.is_object()) {
      throw InputError("expected an object, found " + std::string(row.kind()), where,
                       "give an array of objects");
    }
    if (!visit(std::move(row), where)) return;
  }
}

// Tells a table on standard input, or under a name of JSON: rows of JSON begin with a bracket.
void refuse_table(std::string_view text, const std::string& file) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return;  // UTF-16
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string_view line = trim(text.substr(0, text.find('\n')));
  if (line.empty() || line.front() == '{' || line.front() == '[') return;
  if (line.find_first_of(",;\t") == line.npos) return;
  throw InputError("the text looks like a table, not like JSON", file,
                   "add --input-format csv, or name the file .csv");
}

// The objects that follow one another in the text, as jq writes them; where it holds anything else
// between them, none.
std::vector<std::string_view> objects_in(std::string_view text) {
  std::vector<std::string_view> objects;
  int64_t level = 0;
  bool is_in_text = false;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_text) {
      if (c == '\\') ++i;
      is_in_text = c != '"';
    } else if (c == '{') {
      if (level++ == 0) begin = i;
    } else if (c == '}') {
      if (--level < 0) return {};
      if (level == 0) objects.push_back(text.substr(begin, i + 1 - begin));
    } else if (level > 0) {
      is_in_text = c == '"';
    } else if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
      return {};
    }
  }
  return level == 0 ? objects : std::vector<std::string_view>();
}

// A document, or several objects one after another as an array.
Json parse_document(const std::string& file, const std::function<Json()>& parse,
                    const std::function<std::string()>& text_of) try {
  return parse();
} catch (const InputError&) {
  const std::string text = text_of();
  const std::vector<std::string_view> objects = objects_in(text);
  if (objects.size() < 2) throw;
  Json::Array rows;
  for (const std::string_view object : objects) {
    rows.push_back(Json::parse(object, file + ", row " + std::to_string(rows.size() + 1)));
  }
  return Json(std::move(rows));
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

// Standard input has no name that would tell a document from lines of JSON, and a file may have the
// wrong one: what begins like an array, or with a brace alone, is a document, and so is one object.
void visit_lines(const std::filesystem::path& file, const InputFormat& format,
                 const RowVisitor& visit) {
  constexpr size_t kBytesAtOnce = size_t{1} << 22;
  LineReader reader(file);
  std::vector<Line> lines;
  int64_t count = 0;  // of lines that are not blank
  size_t bytes = 0;
  for (std::string line; reader.next(line);) {
    line.erase(line.find_last_not_of('\r') + 1);
    const std::string_view text = trim(line);
    if (text.empty()) continue;
    ++count;
    if (count == 1) refuse_foreign(line, file.string());
    if (count == 1) refuse_table(line, file.string());
    if (count == 1 && (text.front() == '[' || text == "{")) {
      for (std::string more; reader.next(more);) line += "\n" + more;
      Json document = parse_document(
          file.string(), [&] { return Json::parse(line, file.string()); }, [&] { return line; });
      return visit_document(std::move(document), file.string(), format, visit);
    }
    bytes += line.size() + sizeof(Line);
    lines.push_back({std::move(line), reader.where()});
    if (bytes < kBytesAtOnce || count == 1) continue;
    if (!visit_parsed(lines, bytes, visit)) return;
    bytes = 0;
  }
  if (count == 1 && parse_line(lines.front())) {
    return visit_document(std::move(lines.front().row), file.string(), format, visit,
                          lines.front().where);
  }
  visit_parsed(lines, bytes, visit);
}

void check_header(const CsvRecord& header, const std::string& file) {
  const std::string where = file + ":" + std::to_string(header.line);
  std::vector<std::string> names = header.fields;
  for (const std::string& name : names) {
    if (name.find('\r') != std::string::npos) throw lone_carriage_returns(where);
  }
  std::erase(names, "");
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  throw InputError("two columns are named \"" + *twice + "\"", where,
                   "give each column its own name");
}

// Whether columns without a name stand among others, as pandas' index and the last column of some
// spreadsheets: they are not read, and a note says so.
bool note_unnamed(const CsvRecord& header) {
  std::vector<std::string> unnamed;
  for (size_t i = 0; i < header.fields.size(); ++i) {
    if (header.fields[i].empty()) unnamed.push_back(std::to_string(i + 1));
  }
  if (unnamed.empty() || header.fields.size() == 1) return false;
  log_info("columns without a name are not read: column " + join_some(unnamed));
  return true;
}

// The first line "sep=;", with which a table tells Excel its separator; '\0' without one.
char take_separator_line(std::string& text) {
  constexpr std::string_view kStart = "sep=";
  const size_t quote = text.starts_with('"') ? 1 : 0, at = quote + kStart.size();
  const size_t end = text.find_first_of("\r\n");
  if (ascii_lower(std::string_view(text).substr(quote, kStart.size())) != kStart ||
      end != at + 1 + quote) {
    return '\0';
  }
  const char separator = text[at];
  text.erase(0, end);  // the line stays, empty: places count lines
  return separator;
}

// What separates the names in the first line: `usual`, by the file's name, if it is among them;
// else the first of these that is. Excel writes semicolons where a comma is the sign of decimals,
// and tabs as "Unicode text", whatever the file is called.
char separator_of(std::string_view text, char usual) {
  const size_t start = std::min(text.find_first_not_of("\r\n"), text.size());
  const std::string_view header = text.substr(start, text.find('\n', start) - start);
  for (const char separator : {usual, '\t', ',', ';', '|'}) {
    if (header.find(separator) != header.npos) return separator;
  }
  return usual;
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

// Whether a comma may separate thousands: "1,234", but not "0,234" or "1,23".
bool may_be_thousands(std::string_view cell) {
  cell = trim(cell);
  if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
  const size_t comma = cell.find(',');
  const auto is_digits = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == text.npos;
  };
  constexpr size_t kGroup = 3;
  return comma != cell.npos && comma > 0 && comma <= kGroup && !cell.starts_with('0') &&
         cell.size() == comma + 1 + kGroup && is_digits(cell.substr(0, comma)) &&
         is_digits(cell.substr(comma + 1));
}

InputError ambiguous_commas(const std::string& column, const CsvRecord& line, size_t index,
                            const std::string& file) {
  const std::string cell(trim(line.fields[index]));
  std::string thousands = cell;
  std::erase(thousands, ',');
  return InputError("the commas of the column " + json_quote(column) +
                        " may be decimal signs or separate thousands: " + cell + " is " +
                        *with_point(cell) + " or " + thousands,
                    file + ":" + std::to_string(line.line),
                    "write the numbers with a point, or without commas");
}

// Columns of semicolon-separated tables that hold only numbers, some with a decimal comma, get
// points; texts that look like numbers stay. Words for a missing label, such as NA, do not decide.
void replace_decimal_commas(std::vector<CsvRecord>& lines, const IsTextColumn& is_text,
                            const std::string& file) {
  std::vector<std::string> changed;
  for (size_t column = 0; column < lines[0].fields.size(); ++column) {
    if (is_text && is_text(lines[0].fields[column])) continue;
    bool has_comma = false, has_decimals = false;
    const CsvRecord* first = nullptr;  // that has a comma
    const bool has_only_numbers =
        std::all_of(lines.begin() + 1, lines.end(), [&](const auto& line) {
          if (column >= line.fields.size()) return true;
          const std::string& cell = line.fields[column];
          if (trim(cell).empty()) return true;
          const bool is_comma = cell.find(',') != std::string::npos;
          if (is_comma && !has_comma) first = &line;
          has_comma |= is_comma;
          has_decimals |= is_comma && !may_be_thousands(cell);
          if (with_point(cell)) return true;
          const Json word(cell);
          return lacks_label(&word);
        });
    if (!has_only_numbers || !has_comma) continue;
    if (!has_decimals) throw ambiguous_commas(lines[0].fields[column], *first, column, file);
    changed.push_back(lines[0].fields[column]);
    for (size_t i = 1; i < lines.size(); ++i) {
      if (column >= lines[i].fields.size()) continue;
      std::string& cell = lines[i].fields[column];
      if (cell.find(',') != std::string::npos) cell = *with_point(cell);
    }
  }
  if (!changed.empty()) log_info("decimal commas are read as points in: " + join(changed));
}

void visit_table(const std::filesystem::path& file, const InputFormat& format,
                 const RowVisitor& visit, const IsTextColumn& is_text) {
  std::string text = read_text(file);
  refuse_foreign(text, file.string());
  const char named = take_separator_line(text);
  const char separator = format.is_separator_given ? format.separator
                         : named != '\0'           ? named
                                                   : separator_of(text, format.separator);
  std::vector<CsvRecord> lines = parse_csv(text, separator, Quoting::quoted, file.string());
  if (lines.empty()) return;
  for (std::string& name : lines[0].fields) name = std::string(trim(name));
  check_header(lines[0], file.string());
  const bool has_unnamed = note_unnamed(lines[0]);
  if (separator == ';') replace_decimal_commas(lines, is_text, file.string());
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string where = file.string() + ":" + std::to_string(lines[i].line);
    if (lines[i].fields.size() != lines[0].fields.size()) {
      throw wrong_cells(lines[i].fields.size(), lines[0].fields.size(), where);
    }
    Json::Object members;
    for (size_t j = 0; j < lines[i].fields.size(); ++j) {
      if (has_unnamed && lines[0].fields[j].empty()) continue;
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
  if (is_table(format)) return visit_table(file, format, visit, is_text);
  if (format == InputFormat::kJson) {
    refuse_table(first_bytes(file), file.string());
    std::error_code unknown;  // reading says what is wrong
    const bool is_file = std::filesystem::is_regular_file(file, unknown);
    const std::string once = is_file ? "" : read_text(file);  // a pipe's text is there once
    Json document = parse_document(
        file.string(),
        [&] { return is_file ? Json::parse_file(file) : Json::parse(once, file.string()); },
        [&] { return is_file ? read_text(file) : once; });
    return visit_document(std::move(document), file.string(), format, visit);
  }
  visit_lines(file, format, visit);
}

bool is_table_name(const std::filesystem::path& file) {
  const std::string extension = ascii_lower(without_gz(file).extension().string());
  return extension == InputFormat::kCsv.extension || extension == InputFormat::kTsv.extension;
}

namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;  // by column

void add_cells(const std::string& column, const Json& value, Cells& cells) {
  if (value.is_object() && !value.object().empty()) {
    for (const auto& [name, member] : value.object()) add_cells(column + "." + name, member, cells);
  } else {
    cells.emplace_back(column, value.is_null()     ? ""
                               : value.is_string() ? value.string()
                                                   : value.dump());
  }
}

// The row's cells. Of a field and a score with one name, which `replaced` collects, the score is
// taken.
Cells cells_of(const Json& row, std::set<std::string>& replaced) {
  const Json* const scores = row.find("scores");
  const bool has_scores = scores != nullptr && scores->is_object();
  Cells cells;
  for (const auto& [name, value] : row.object()) {
    if (has_scores && name == "scores") {
      for (const auto& [metric, score] : scores->object()) add_cells(metric, score, cells);
    } else if (name == "scores" && value.is_null()) {
      continue;  // none
    } else if (has_scores && scores->find(name) != nullptr) {
      replaced.insert(name);
    } else {
      add_cells(name, value, cells);
    }
  }
  return cells;
}

// A line of a table, without its cells' columns.
std::string table_line(const std::vector<std::string>& cells, char separator) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += separator;
    line += csv_field(cells[i], separator);
  }
  return line + "\n";
}

char separator_of_output(const std::filesystem::path& file) {
  return ascii_lower(without_gz(file).extension().string()) == InputFormat::kTsv.extension ? '\t'
                                                                                           : ',';
}

// The lines of a table with these rows are passed to `write` one after another.
void write_table(const std::vector<Json>& rows, char separator,
                 const std::function<void(const std::string& line)>& write) {
  std::vector<std::string> columns;
  std::map<std::string, size_t> places;
  std::set<std::string> replaced;
  for (const Json& row : rows) {
    for (const auto& [column, cell] : cells_of(row, replaced)) {
      if (places.emplace(column, columns.size()).second) columns.push_back(column);
    }
  }
  if (!replaced.empty()) {
    log_warning("columns of the input give way to the scores of their names: " +
                join({replaced.begin(), replaced.end()}));
  }
  write(table_line(columns, separator));
  for (const Json& row : rows) {
    std::vector<std::string> line(columns.size());
    for (auto& [column, cell] : cells_of(row, replaced)) {
      line[places.at(column)] = std::move(cell);
    }
    write(table_line(line, separator));
  }
}

}  // namespace

void require_cells(const std::filesystem::path& file, const std::vector<Json>& rows) {
  if (!is_table_name(file)) return;
  const bool has_tabs = separator_of_output(file) == '\t';
  std::set<std::string> replaced;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string where = file.string() + ", row " + std::to_string(i + 1);
    std::set<std::string> seen;
    for (const auto& [column, cell] : cells_of(rows[i], replaced)) {
      if (has_tabs && cell.find('\t') != cell.npos && cell.find('\n') != cell.npos) {
        throw InputError("the text " + json_quote(column) + " holds tabs and line breaks", where,
                         "name the output .csv or .jsonl: readers take no such cell between tabs");
      }
      if (!seen.insert(column).second) {
        throw InputError("two fields would be the column " + json_quote(column), where,
                         "rename one, or name the output .jsonl");
      }
    }
  }
}

void write_rows(const std::filesystem::path& file, const std::vector<Json>& rows) {
  require_cells(file, rows);
  const auto write_to = [&](const std::function<void(const std::string& line)>& write) {
    if (is_table_name(file)) {
      return write_table(rows, separator_of_output(file), write);
    }
    for (const Json& row : rows) write(row.dump() + "\n");
  };
  if (file.extension() == ".gz") {
    std::string lines;
    write_to([&](const std::string& line) { lines += line; });
    return write_file(file, gzip(lines));
  }
  AtomicFile out(file);
  write_to([&](const std::string& line) { out.write(line); });
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

void require_fields(const FieldNames& names, const std::vector<std::string>& fields) {
  for (const auto& [ours, theirs] : names) {
    const std::string assignment = "--field " + ours + "=" + theirs;
    if (std::ranges::count(fields, ours) == 0) {
      std::vector<std::string> meant;
      if (const std::string nearest = nearest_name(ours, fields); !nearest.empty()) {
        meant.push_back("perhaps --field " + nearest + "=" + theirs);
      }
      if (std::ranges::count(fields, theirs) > 0) {
        meant.push_back("our name comes first: perhaps --field " + theirs + "=" + ours);
      }
      throw InputError(
          "there is no field \"" + ours + "\"", assignment,
          (meant.empty() ? "" : join(meant, "; or ") + "; ") + "the fields are " + join(fields));
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
  FieldNames names = config::assignments_of(assignments, "--field", fields.back());
  require_fields(names, fields);
  return names;
}

}  // namespace rubric::data
