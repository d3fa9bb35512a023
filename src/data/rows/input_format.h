// The formats of files of answers. Rows with named fields (JSON lines, CSV, TSV) have no reader of
// their own; the format of a published data set has one. data/answers/list.h has them all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/records.h"

namespace rubric::data {

struct InputFormat {
  std::string_view name;
  std::string_view summary;         // one line; of a published format with the source
  std::string_view extension = "";  // of files that have it when no format is named; "": of none
  // Reads a file of a published format; null: rows. Throws InputError naming the file.
  std::vector<Answer> (*read)(const std::filesystem::path& file) = nullptr;

  // Those that code knows by name: rows, and MOCHA's nesting, which files with scores have too.
  static const InputFormat jsonl, csv, tsv, mocha;

  friend bool operator==(const InputFormat& one, const InputFormat& other) {
    return one.name == other.name;
  }
};

std::vector<Answer> read_mocha(const std::filesystem::path& file);  // data/answers/mocha.h

inline constexpr InputFormat InputFormat::jsonl = {
    .name = "jsonl", .summary = "rows of JSON, an object a line", .extension = ".jsonl"};
inline constexpr InputFormat InputFormat::csv = {
    .name = "csv", .summary = "rows separated by commas, below their names", .extension = ".csv"};
inline constexpr InputFormat InputFormat::tsv = {
    .name = "tsv", .summary = "rows separated by tabs, below their names", .extension = ".tsv"};
inline constexpr InputFormat InputFormat::mocha = {
    .name = "mocha",
    .summary = "MOCHA's nesting, {constituent: {id: instance}} (Chen et al. 2020)",
    .extension = ".json",
    .read = read_mocha};

// Whether a file of this format consists of rows with named fields: jsonl, csv, tsv.
inline bool has_rows(const InputFormat& format) {
  return format.read == nullptr;
}

// The names of all formats: jsonl, mocha, ….
std::vector<std::string> input_format_names();

// The format called `name` or, for "", the format of the file's extension. `option` is the
// command-line option that sets it, for messages.
InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option = "--input-format");

// jsonl, csv or tsv by the file's extension, else mocha.
InputFormat rows_or_mocha(const std::filesystem::path& file);

}  // namespace rubric::data
