// Comma- and tab-separated files (RFC 4180).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

struct CsvRecord {
  std::vector<std::string> fields;
  int64_t line = 0;  // of its first character, from 1
};

// Whether a field that begins with a quote is quoted, and then holds separators, line breaks and
// doubled quotes. Spreadsheets, pandas and Python's csv module quote in files separated by tabs,
// too; some published data sets write quotes there as plain text.
enum class Quoting { quoted, plain };

// All records. Throws InputError, with `where` and the line at which a field begins, for a quote
// that is not closed or is followed by text (in a file of commas a semicolon or tab is named), for
// a field quoted between tabs that holds both line breaks and tabs (its quote is plain text, most
// likely, and would swallow rows), and for text that is not UTF-8.
std::vector<CsvRecord> parse_csv(std::string_view text, char separator, Quoting quoting,
                                 const std::string& where);

}  // namespace rubric
