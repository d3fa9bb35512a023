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

struct CellNumbers {
  std::optional<double> value = {};
  std::optional<stats::Interval> interval = {};
  std::optional<int64_t> n = {};  // records behind the value
};

struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // shorter rows are padded with empty cells
  std::vector<Align> alignment;                // by column; right if missing
  std::vector<std::string> notes;              // printed below, one a line (not in CSV)
  // For HTML only.
  // By row and column, where a Layout made the table: what the cells show. Empty: HTML reads the
  // intervals of a suite that has no Result yet back from the texts.
  std::vector<std::vector<CellNumbers>> numbers = {};
  size_t key_columns = 1;             // the first, which name a row
  bool has_certain_interval = false;  // one whose printed ends are equal
  bool is_folded = false;             // only the title is shown until a reader unfolds it
};

// The text on one line and without control characters, which could control a terminal.
std::string plain_text(std::string_view text);

// What an interval whose ends are equal says, and whether a text is or ends in one, with decimals:
// "1.000 [1.000, 1.000]".
inline constexpr const char* kNoWidthNote =
    "an interval with equal ends, such as [1.000, 1.000], is no certainty: it comes of these rows "
    "alone, and other questions may have other values";
bool lacks_width(std::string_view cell);

// The notes and, where a cell lacks_width(), kNoWidthNote.
std::vector<std::string> all_notes(const Table& table);

// Tables show the first groups; CSV and JSON have every group.
inline constexpr size_t kMostGroups = 50;

// "the first 50 of 60 groups are shown; …"; "" where all are.
std::string groups_note(size_t groups);

// Ends with a newline. Cells may hold anything: they are escaped for the format. all_notes() are
// printed.
std::string print_table(const Table& table, OutputFormat format);

// The tables, separated by a blank line; kNoWidthNote is below the first that needs it. As text, a
// table that is wider than `width` columns of a terminal (0: any) is printed in parts, each with
// the key columns.
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
std::string cell(std::optional<double> value);
std::string cell(std::optional<double> value, const std::optional<stats::Interval>& interval);
// "0.012", "< 0.001"; "≤ 0.012" for an upper bound: the least p that its test can give.
std::string p_cell(double p, bool is_least = false);

// Whether p_cell() has the sign, which a note then explains.
bool shows_bound(std::optional<double> p, bool is_least);

// A value and its interval as a cell has them.
struct CellInterval {
  std::optional<double> value;  // nothing in a cell that holds an interval alone
  stats::Interval interval;
};

// Reads back the text of a cell with an interval, "0.123 [0.100, 0.150]" or "[0.100, 0.150]", with
// any decimals. Nothing for any other text.
std::optional<CellInterval> interval_in(std::string_view cell);

// In CSV: with six decimals, empty if undefined.
std::string number(std::optional<double> value);
std::string p_number(double p);     // with six significant digits
std::string boolean(bool is_true);  // "true", "false"

// In JSON: null if undefined.
Json or_null(std::optional<double> value);

}  // namespace rubric::eval
