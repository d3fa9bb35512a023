// The formats of files of answers. Rows with named fields (JSON lines, a JSON array, CSV, TSV) have
// no reader of their own; the format of a published data set has one. data/answers/list.h has them
// all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/records.h"
#include "rubric/row_format.h"

namespace rubric::data {

class MissingValues;

struct InputFormat {
  std::string_view name;
  std::string_view summary;  // one line; of a published format with the source
  std::string_view extension =
      "";  // of files that have this format when none is named; "": no such files
  // Reads a file of a published format; null: rows. Throws InputError naming the file.
  std::vector<Answer> (*read)(const std::filesystem::path& file) = nullptr;
  // Reads a published data set of questions with a file of predicted answers (--predictions).
  std::vector<Answer> (*read_predicted)(const std::filesystem::path& file,
                                        const std::filesystem::path& predictions,
                                        MissingValues& missing) = nullptr;
  // Reads texts with files of references (--references).
  std::vector<Answer> (*read_lines)(const std::filesystem::path& file,
                                    const std::vector<std::filesystem::path>& references,
                                    MissingValues& missing) = nullptr;
  // Whether a .json or .jsonl file whose text without white space begins so has this format; null:
  // the format must be named.
  bool (*is_begun_by)(std::string_view start) = nullptr;
  bool may_have_no_answer = false;  // there are questions to which "" is the correct answer
  bool may_be_by_key = false;       // a document may be {"KEY": value, …} with keys of any name

  char separator = '\0';            // of a table's columns; '\0': this is not a table
  bool is_separator_given = false;  // else the table's first line may tell another

  // The formats that code names: rows, and MOCHA's nesting, which files with scores have too.
  static const InputFormat kJsonl, kJson, kCsv, kTsv, kMocha;

  friend bool operator==(const InputFormat& one, const InputFormat& other) {
    return one.name == other.name;
  }
};

std::vector<Answer> read_mocha(const std::filesystem::path& file);  // data/answers/mocha.h

inline constexpr InputFormat InputFormat::kJsonl = {
    .name = "jsonl", .summary = "rows of JSON, an object a line", .extension = ".jsonl"};
inline constexpr InputFormat InputFormat::kJson = {
    .name = "json", .summary = "rows of JSON, an array of objects, also under a key of an object"};
inline constexpr InputFormat InputFormat::kCsv = {
    .name = "csv",
    .summary = "rows separated by commas or, as Excel writes them, semicolons, below their names",
    .extension = ".csv",
    .separator = ','};
inline constexpr InputFormat InputFormat::kTsv = {
    .name = "tsv",
    .summary = "rows separated by tabs, below their names",
    .extension = ".tsv",
    .separator = '\t'};
inline constexpr InputFormat InputFormat::kMocha = {
    .name = "mocha",
    .summary = "MOCHA's nesting, {constituent: {id: instance}} (Chen et al. 2020)",
    .extension = ".json",
    .read = read_mocha};

// Whether a file of this format consists of rows with named fields: jsonl, json, csv, tsv.
inline bool has_rows(const InputFormat& format) {
  return format.read == nullptr && format.read_predicted == nullptr && format.read_lines == nullptr;
}

inline bool is_table(const InputFormat& format) {
  return format.separator != '\0';
}

// The names of all formats: jsonl, mocha, ….
std::vector<std::string> input_format_names();

// The format called `name` or, for "", that of the file: JSON by its text (is_begun_by; json,
// jsonl, MOCHA's nesting), whatever its name; tables by their extension, before ".gz" if it is
// compressed, else by tabs in the first line; jsonl for standard input. Throws InputError for a
// file that is no text (refuse_foreign). `delimiter`, if not '\0', separates the columns of a
// table. Throws InputError. `option` is the command-line option that sets the format, for messages.
InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option = "--input-format", char delimiter = '\0');
InputFormat input_format(const RowFormat& format, const std::filesystem::path& file);

// The same of a file of rows. Throws InputError for a format that only one data set has.
InputFormat format_of_rows(const RowFormat& format, const std::filesystem::path& file);

// The character that a request names: one of ASCII, or "tab"; '\0' for "". Throws InputError.
char delimiter_named(const std::string& text);

// The same where that has rows, else mocha.
InputFormat rows_or_mocha(const std::filesystem::path& file);

}  // namespace rubric::data
