#include "data/rows/csv.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/rows/foreign_files.h"

namespace rubric::data {

namespace {

// Reads one record after another; `at` is always the start of a field.
class Parser {
 public:
  Parser(std::string_view text, char separator, Quoting quoting, const std::string& where)
      : text_(text), separator_(separator), quoting_(quoting), where_(where) {}

  bool next(CsvRecord& record) {
    if (at_ >= text_.size()) return false;
    record = {{}, line_};
    is_quoted_ = false;
    do {
      const bool is_quoted = quoting_ == Quoting::quoted && peek() == '"';
      is_quoted_ |= is_quoted;
      record.fields.push_back(is_quoted ? quoted() : plain());
    } while (take(separator_));
    take('\r');
    take('\n');
    ++line_;
    return true;
  }

  // Whether a field of the record read last was quoted.
  bool was_quoted() const { return is_quoted_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string plain() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') ++at_;
    std::string_view field = text_.substr(begin, at_ - begin);
    if (peek() != separator_ && field.ends_with('\r')) field.remove_suffix(1);
    return std::string(field);
  }
  std::string quoted() {
    const int64_t opened = line_;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (peek() != '"') {
          check_quoted(field, opened);
          return field;
        }
      }
      if (text_[at_] == '\n') ++line_;
      field += text_[at_];
    }
    fail("a quote is opened and never closed", opened, "; the file may be cut off");
  }
  // Checks the field whose closing quote was read last.
  void check_quoted(const std::string& field, int64_t opened) const {
    const bool is_end = at_ >= text_.size() || peek() == separator_ || peek() == '\n' ||
                        text_.substr(at_).starts_with("\r\n");
    if (separator_ == ',' && (peek() == ';' || peek() == '\t')) {
      throw InputError("a field ends before a semicolon or a tab",
                       where_ + ":" + std::to_string(opened),
                       "separate the columns by commas, or name what does: --delimiter ';'");
    }
    if (!is_end) fail("text follows the closing quote of the field that begins here", opened);
    if (separator_ == '\t' && field.find('\t') != field.npos && field.find('\n') != field.npos) {
      fail("the quoted field that begins here holds tabs and line breaks", opened);
    }
  }
  [[noreturn]] void fail(const std::string& problem, int64_t line,
                         const std::string& more = "") const {
    throw InputError(problem, where_ + ":" + std::to_string(line),
                     "quote a field that begins with a quote, and double the quotes inside it: "
                     "\"\"\"so\"\", he said\"" +
                         more);
  }

  std::string_view text_;
  char separator_;
  Quoting quoting_;
  const std::string& where_;
  size_t at_ = 0;
  int64_t line_ = 1;
  bool is_quoted_ = false;
};

// No text has the character 0, but JSON's may, and a damaged file.
void warn_of_nul(std::string_view text, const std::string& where) {
  const size_t first = text.find('\0');
  if (first == text.npos) return;
  log_warning(where + ":" + std::to_string(1 + std::ranges::count(text.substr(0, first), '\n')) +
              ": a character 0 (NUL), which counts as a part of its text; if the file is damaged, "
              "take such characters out: tr -d '\\000' < '" +
              where + "' > NEW");
}

}  // namespace

std::vector<CsvRecord> parse_csv(std::string_view text, char separator, Quoting quoting,
                                 const std::string& where) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  require_utf8_text(text, where);
  warn_of_nul(text, where);
  std::vector<CsvRecord> records;
  Parser parser(text, separator, quoting, where);
  size_t end = 0;  // behind the last record that is no blank line
  for (CsvRecord record; parser.next(record);) {
    const bool is_blank =
        record.fields.size() == 1 && record.fields[0].empty() && !parser.was_quoted();
    // In a table of one column a blank line is an empty cell, but for those at the end.
    const bool is_cell = !records.empty() && records.front().fields.size() == 1;
    if (is_blank && !is_cell) continue;
    records.push_back(std::move(record));
    if (!is_blank) end = records.size();
  }
  records.resize(end);
  return records;
}

std::string csv_field(std::string_view text, char separator) {
  const char quoted[] = {separator, '"', '\r', '\n'};
  if (text.find_first_of(std::string_view(quoted, sizeof(quoted))) == text.npos) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

InputError wrong_cells(size_t cells, size_t names, const std::string& where) {
  return InputError("the row has " + counted(static_cast<int64_t>(cells), "field") +
                        ", the first line names " + std::to_string(names),
                    where,
                    cells < names ? "add the fields that it lacks, empty ones too; the file may be "
                                    "cut off there"
                                  : "quote a field that holds the separator: \"so, he said\"");
}

ColumnTable read_columns(const std::filesystem::path& file) {
  const bool has_tabs = without_gz(file).extension() == ".tsv";
  ColumnTable table{file.string(), {}, {}};
  table.rows = parse_csv(read_text(file), has_tabs ? '\t' : ',',
                         has_tabs ? Quoting::plain : Quoting::quoted, table.file);
  if (table.rows.empty())
    throw InputError("the file is empty", table.file,
                     "name a table with the names of its columns in the first line");
  table.names = std::move(table.rows.front().fields);
  table.rows.erase(table.rows.begin());
  for (const CsvRecord& row : table.rows) {
    if (row.fields.size() == table.names.size()) continue;
    throw wrong_cells(row.fields.size(), table.names.size(), row_place(table, row));
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

}  // namespace rubric::data
