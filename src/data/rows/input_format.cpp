#include "data/rows/input_format.h"

#include <algorithm>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"
#include "data/answers/list.h"
#include "data/rows/foreign_files.h"

namespace rubric::data {
namespace {

// The file's first characters, without a byte-order mark; "" of what is no file. What cannot be
// read is an error later.
std::string beginning(const std::filesystem::path& file) {
  std::string start = first_bytes(file);
  if (start.starts_with("\xEF\xBB\xBF")) start.erase(0, 3);
  if (!start.starts_with("\xFF\xFE") && !start.starts_with("\xFE\xFF")) return start;
  try {
    return read_text(file).substr(0, kFirstBytes);
  } catch (const InputError&) {
    return "";
  }
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return text;
}

// Whether all members of a document are objects, as those of MOCHA's nesting are, and no list under
// three keys at most holds objects, which may be rows.
bool has_objects_alone(std::string_view text) {
  constexpr int kDeepestList = 4;  // with its own bracket
  int level = 0;
  char last = 0;                              // that is no blank
  bool is_in_text = false, is_value = false;  // is_value: behind a name of the document
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_text) {
      if (c == '\\') ++i;
      is_in_text = c != '"';
    } else if (c == '}' || c == ']') {
      --level;
    } else if (c == ':' || c == ',') {
      is_value = level == 1 && c == ':';
    } else if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
      if (is_value && c != '{') return false;
      is_value = false;
      is_in_text = c == '"';
      if (c == '{' && last == '[' && level <= kDeepestList) return false;
      if (c == '{' || c == '[') ++level;
      last = c;
    }
  }
  return true;
}

// Whether an object's text, without blanks, begins as MOCHA's nesting does: {"drop":{"id":{.
bool begins_nested(std::string_view start) {
  for (int level = 0; level < 2; ++level) {
    if (level == 1 && start.starts_with("{}")) return true;
    if (!start.starts_with("{\"")) return false;
    size_t end = 2;
    while (end < start.size() && start[end] != '"') end += start[end] == '\\' ? 2 : 1;
    if (end + 2 > start.size()) return false;
    start.remove_prefix(end + 2);  // and the colon
  }
  return start.starts_with("{");
}

// Whether the file is lines of JSON: the first is an object, and another follows.
bool has_lines_of_objects(const std::filesystem::path& file) {
  std::string line;
  auto next = [&, reader = LineReader(file)]() mutable {
    while (reader.next(line)) {
      if (!trim(line).empty()) return true;
    }
    return false;
  };
  return next() && trim(line).front() == '{' && trim(line).back() == '}' && next() &&
         trim(line).front() == '{';
}

// The format of a file whose text begins, but for blanks, with this JSON. `usual`: by its name.
const InputFormat* json_format(const std::filesystem::path& file, const std::string& start,
                               const InputFormat* usual) {
  for (const InputFormat* const format : kInputFormats) {
    if (format->is_begun_by != nullptr && format->is_begun_by(start)) return format;
  }
  if (start.starts_with("[")) return &InputFormat::kJson;
  if (start.empty() || start.starts_with("{}")) return usual;
  if (has_lines_of_objects(file)) return &InputFormat::kJsonl;
  if (begins_nested(start) && has_objects_alone(read_text(file))) return &InputFormat::kMocha;
  return usual == &InputFormat::kJsonl ? usual : &InputFormat::kJson;
}

// Whether the first line, whatever the file is called, is that of a table: tabs separate names, or
// it tells Excel what does.
bool begins_a_table(std::string_view start) {
  start.remove_prefix(std::min(start.find_first_not_of(" \r\n"), start.size()));
  return start.substr(0, start.find('\n')).find('\t') != start.npos ||
         ascii_lower(start.substr(0, 4)) == "sep=";
}

// By its extension; null if that tells none.
const InputFormat* format_of_name(const std::filesystem::path& file) {
  const std::string extension = ascii_lower(without_gz(file).extension().string());
  if (extension == ".ndjson") return &InputFormat::kJsonl;
  for (const InputFormat* const format : kInputFormats) {
    if (!extension.empty() && format->extension == extension) return format;
  }
  return nullptr;
}

// The format that the file's content tells, else its name; null if neither does.
const InputFormat* format_of(const std::filesystem::path& file) {
  if (file == kStandardInput) return &InputFormat::kJsonl;
  const InputFormat* const named = format_of_name(file);
  const std::string text = beginning(file), start = without_blanks(text);
  const bool is_named_json = named == &InputFormat::kJsonl || named == &InputFormat::kMocha;
  const bool is_json = start.starts_with("{\"") || start.starts_with("[{");
  if (is_json || is_named_json) return json_format(file, start, named);
  return named == nullptr && begins_a_table(text) ? &InputFormat::kTsv : named;
}

}  // namespace

std::vector<std::string> input_format_names() {
  return names_of<InputFormat>(kInputFormats);
}

InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option, char delimiter) {
  refuse_foreign_file(file);
  const InputFormat* const found =
      name.empty() ? format_of(file) : find<InputFormat>(kInputFormats, name);
  if (found != nullptr) {
    InputFormat format = *found;
    if (delimiter == '\0') return format;
    if (!is_table(format)) {
      throw InputError(
          "--delimiter is only valid with tables, and the format is " + std::string(format.name),
          file.string(), "leave it out, or add " + option + " csv");
    }
    format.separator = delimiter;
    format.is_separator_given = true;
    return format;
  }
  if (name.empty()) {
    require_readable_file(file);  // one that is not there is not asked for its format
    throw InputError("neither the file's name nor its text tells its format", file.string(),
                     "name it with " + option + ": " + join(input_format_names()));
  }
  throw InputError("unknown input format \"" + name + "\"", option,
                   "choose " + join(input_format_names()));
}

InputFormat input_format(const RowFormat& format, const std::filesystem::path& file) {
  return input_format(format.input_format, file, "--input-format",
                      delimiter_named(format.delimiter));
}

InputFormat format_of_rows(const RowFormat& named, const std::filesystem::path& file) {
  const InputFormat format = input_format(named, file);
  if (has_rows(format)) return format;
  throw InputError(
      "the format " + std::string(format.name) + " belongs to one data set and has no rows",
      file.string(), "give jsonl, csv or tsv, or name one with --input-format");
}

char delimiter_named(const std::string& text) {
  if (text.empty()) return '\0';
  if (text == "tab" || text == "\\t") return '\t';
  constexpr std::string_view kNever = "\"\r\n";
  const bool is_usable = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80 &&
                         text[0] != '\0' && kNever.find(text[0]) == std::string_view::npos;
  if (is_usable) return text[0];
  throw InputError("a delimiter is one ASCII character", "--delimiter " + text,
                   "give one such as ';' or '|', or the word tab");
}

InputFormat rows_or_mocha(const std::filesystem::path& file) {
  refuse_foreign_file(file);
  const InputFormat* const found = format_of(file);
  return found != nullptr && has_rows(*found) ? *found : InputFormat::kMocha;
}

}  // namespace rubric::data
