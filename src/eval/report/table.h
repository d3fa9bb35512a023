// Tables of text cells, the formats in which they are printed, and how values appear in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "rubric/output.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

using rubric::OutputFormat;

enum class Align { left, right };

// What a cell shows, for HTML.
struct CellNumbers {
  std::optional<double> value = {};
  std::optional<stats::Interval> interval = {};
  std::optional<int64_t> n = {};  // records behind the value
};

struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;          // shorter rows are padded with empty cells
  std::vector<Align> alignment;                        // by column; right if missing
  std::vector<std::string> notes;                      // printed below, one a line
  std::vector<std::vector<CellNumbers>> numbers = {};  // by row and column; empty: none
  size_t key_columns = 1;                              // the first, which name a row
  bool has_certain_interval = false;                   // one whose printed ends are equal
  bool is_folded = false;  // only the title is shown until a reader unfolds it
};

// The text on one line and without control characters, which could control a terminal.
std::string plain_text(std::string_view text);

inline constexpr const char* kNoWidthNote =
    "an interval with equal ends, such as [1.000, 1.000], does not make the value certain: other "
    "questions may have other values";

// Tables show the first groups; CSV and JSON have every group.
inline constexpr size_t kMostGroups = 50;

// "the first 50 of 60 groups are shown; …"; "" where all are.
std::string groups_note(size_t groups);

// The tables as text, Markdown, LaTeX or HTML, separated by a blank line, with a newline at the
// end. Cells may hold anything: they are escaped for the format. As text, a table that is wider
// than `width` columns of a terminal (0: any) is printed in parts, each with the key columns.
std::string print_tables(std::span<const Table> tables, OutputFormat format, size_t width = 0);

std::string format_fixed(double value, int decimals);          // "0.123"; never "-0.000"
std::string format_significant(double value, int digits = 4);  // "0.1235", "1.5e-07", "inf"
std::string format_exact(double value);  // the fewest digits that give it back

// The number of columns that a text takes in a terminal: two for a wide character (Unicode's East
// Asian Width), none for a combining mark.
size_t display_width(std::string_view text);

// Adds the note "text: count" unless the count is 0.
void add_count(const std::string& text, int64_t count, std::vector<std::string>& notes);

// Values, some of which are undefined.

// In tables to read: "0.123", "0.123 [0.100, 0.150]", "12.3"; "–" if undefined.
std::string cell(std::optional<double> value, int decimals = 3);
std::string cell(std::optional<double> value, const std::optional<stats::Interval>& interval,
                 int decimals = 3);
// "0.012", "< 0.001"; "≤ 0.012" for an upper bound: the least p that its test can give.
std::string p_cell(double p, bool is_least = false);

// Whether p_cell() has the sign, which a note then explains.
bool shows_bound(std::optional<double> p, bool is_least);

std::string p_number(double p);     // with six significant digits
std::string boolean(bool is_true);  // "true", "false"

// In JSON: null if undefined.
Json or_null(std::optional<double> value);

}  // namespace rubric::eval
