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

// All records. With ',' fields may be quoted, and then hold line breaks and doubled quotes; with a
// tab nothing is quoted, as in the tab-separated files that tools of this field write. Throws
// InputError, with `where` and the line, for a quote that is not closed or is followed by text, and
// for text that is not UTF-8.
std::vector<CsvRecord> parse_csv(std::string_view text, char separator, const std::string& where);

}  // namespace rubric
