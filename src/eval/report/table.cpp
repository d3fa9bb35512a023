#include "eval/report/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <system_error>
#include <utility>

#include <unicode/uchar.h>

#include "core/json/json.h"
#include "core/text/utf8.h"
#include "data/rows/csv.h"

namespace rubric::eval {
namespace {

constexpr std::string_view kGap = "  ";  // between columns

size_t column_count(const Table& table) {
  size_t columns = table.header.size();
  for (const auto& row : table.rows) columns = std::max(columns, row.size());
  return columns;
}

Align alignment(const Table& table, size_t column) {
  return column < table.alignment.size() ? table.alignment[column] : Align::right;
}

size_t character_width(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  if ((U_MASK(u_charType(c)) & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) != 0) return 0;
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

std::string markdown_cell(std::string_view text) {
  std::string result;
  for (const char c : plain_text(text)) {
    if (std::string_view("\\|`*_<&[]$~").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string csv_cell(std::string_view text) {
  return data::csv_field(text);
}

std::string latex_cell(std::string_view text) {
  std::string result;
  for (const char c : plain_text(text)) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '[':
        result += "{[}";
        break;  // else it would be an argument of the preceding "\\"
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '_':
      case '%':
        result += '\\';
        result += c;
        break;
      default:
        result += c;
    }
  }
  return result;
}

using Escape = std::string (*)(std::string_view);

// A row's cells, padded to the table's columns, escaped, joined by `separator`.
std::string joined(const std::vector<std::string>& row, size_t columns, Escape escape,
                   std::string_view separator) {
  std::string line;
  for (size_t i = 0; i < columns; ++i) {
    if (i > 0) line += separator;
    if (i < row.size()) line += escape(row[i]);
  }
  return line;
}

// Columns that are printed beside each other.
using Block = std::vector<size_t>;

// All columns or, where they do not fit into `width`, blocks of as many as fit, each with the key
// columns. 0: any width.
std::vector<Block> blocks_of(const Table& table, const std::vector<size_t>& widths, size_t width) {
  const size_t keys = std::min(table.key_columns, widths.size());
  Block all(widths.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const auto total = [&](size_t sum, size_t column) { return sum + widths[column] + kGap.size(); };
  const size_t whole = std::accumulate(all.begin(), all.end(), size_t{0}, total);
  if (width == 0 || whole <= width + kGap.size()) return {all};
  const Block key_columns(all.begin(), all.begin() + static_cast<ptrdiff_t>(keys));
  const size_t of_keys = std::accumulate(key_columns.begin(), key_columns.end(), size_t{0}, total);
  std::vector<Block> blocks;
  size_t used = 0;
  for (size_t column = keys; column < widths.size(); ++column) {
    if (blocks.empty() ||
        (total(used, column) > width + kGap.size() && blocks.back().size() > keys)) {
      blocks.push_back(key_columns);
      used = of_keys;
    }
    blocks.back().push_back(column);
    used = total(used, column);
  }
  return blocks;
}

// The text in lines of at most `width` columns, broken between words.
std::string wrapped(std::string_view text, size_t width) {
  if (width == 0) return std::string(text);
  std::string lines;
  size_t used = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find(' ', i), text.size());
    const std::string_view word = text.substr(i, end - i);
    const size_t columns = display_width(word);
    if (i > 0) {
      const bool breaks = used + 1 + columns > width;
      lines += breaks ? '\n' : ' ';
      used = breaks ? 0 : used + 1;
    }
    lines += word;
    used += columns;
    i = end + 1;
  }
  return lines;
}

std::string to_text(const Table& table, size_t width) {
  std::vector<std::vector<std::string>> lines = {table.header};
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  std::vector<size_t> widths(column_count(table));
  for (auto& line : lines) {
    line.resize(widths.size());
    for (size_t i = 0; i < line.size(); ++i) {
      line[i] = plain_text(line[i]);
      widths[i] = std::max(widths[i], display_width(line[i]));
    }
  }
  std::string out = table.title.empty() ? "" : wrapped(plain_text(table.title), width) + "\n";
  bool is_first = table.title.empty();
  for (const Block& block : blocks_of(table, widths, width)) {
    if (!std::exchange(is_first, false)) out += '\n';
    for (size_t row = 0; row < lines.size(); ++row) {
      std::string text, rule;
      for (const size_t i : block) {
        const std::string padding(widths[i] - display_width(lines[row][i]), ' ');
        if (i != block.front()) text += kGap, rule += kGap;
        text +=
            alignment(table, i) == Align::left ? lines[row][i] + padding : padding + lines[row][i];
        rule.append(widths[i], '-');
      }
      out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
      if (row == 0) out += rule + "\n";
    }
  }
  if (!table.notes.empty()) out += '\n';
  for (const std::string& note : table.notes) out += wrapped(plain_text(note), width) + "\n";
  return out;
}

std::string to_markdown(const Table& table) {
  const size_t columns = column_count(table);
  std::string out = table.title.empty() ? "" : "**" + markdown_cell(table.title) + "**\n\n";
  out += "| " + joined(table.header, columns, markdown_cell, " | ") + " |\n|";
  for (size_t i = 0; i < columns; ++i) {
    out += alignment(table, i) == Align::left ? " :-- |" : " --: |";
  }
  out += '\n';
  for (const auto& row : table.rows) {
    out += "| " + joined(row, columns, markdown_cell, " | ") + " |\n";
  }
  for (const std::string& note : table.notes) out += "\n" + markdown_cell(note) + "\n";
  return out;
}

std::string to_csv(const Table& table) {
  const size_t columns = column_count(table);
  std::string out = joined(table.header, columns, csv_cell, ",") + "\n";
  for (const auto& row : table.rows) out += joined(row, columns, csv_cell, ",") + "\n";
  return out;
}

std::string to_latex(const Table& table) {
  const size_t columns = column_count(table);
  std::string out = "\\begin{tabular}{";
  for (size_t i = 0; i < columns; ++i) out += alignment(table, i) == Align::left ? 'l' : 'r';
  out += "}\n\\hline\n" + joined(table.header, columns, latex_cell, " & ") + " \\\\\n\\hline\n";
  for (const auto& row : table.rows) {
    out += joined(row, columns, latex_cell, " & ") + " \\\\\n";
  }
  out += "\\hline\n\\end{tabular}\n";
  if (!table.title.empty()) out = "% " + plain_text(table.title) + "\n" + out;
  for (const std::string& note : table.notes) out += "\n" + latex_cell(note) + "\n";
  return out;
}

std::string to_json(const Table& table) {
  const auto strings = [](const std::vector<std::string>& texts) {
    return Json(Json::Array(texts.begin(), texts.end()));
  };
  Json::Array rows;
  for (const auto& row : table.rows) rows.push_back(strings(row));
  const Json json(Json::Object{{"title", Json(table.title)},
                               {"header", strings(table.header)},
                               {"rows", Json(std::move(rows))},
                               {"notes", strings(table.notes)}});
  return json.dump(2) + "\n";
}

// The number that is all of the text, if it is finite.
std::optional<double> whole_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const char32_t c = decode_utf8(text, i);
    append_utf8(u_charType(static_cast<UChar32>(c)) == U_CONTROL_CHAR ? U' ' : c, result);
  }
  return result;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size();) width += character_width(decode_utf8(text, i));
  return width;
}

bool lacks_width(std::string_view cell) {
  const std::optional<CellInterval> found = interval_in(cell);
  return found && found->interval.low == found->interval.high &&
         cell.substr(cell.find('[')).find('.') != cell.npos;
}

std::vector<std::string> all_notes(const Table& table) {
  std::vector<std::string> notes = table.notes;
  const auto has_one = [](const auto& row) { return std::ranges::any_of(row, lacks_width); };
  if (table.numbers.empty() && std::ranges::any_of(table.rows, has_one))
    notes.emplace_back(kNoWidthNote);
  return notes;
}

namespace {

std::string print_in_format(const Table& table, OutputFormat format, size_t width) {
  switch (format) {
    case OutputFormat::json:
      return to_json(table);
    case OutputFormat::markdown:
      return to_markdown(table);
    case OutputFormat::csv:
      return to_csv(table);
    case OutputFormat::latex:
      return to_latex(table);
    case OutputFormat::text:
      break;
  }
  return to_text(table, width);
}

}  // namespace

std::string groups_note(size_t groups) {
  if (groups <= kMostGroups) return "";
  return "the first " + std::to_string(kMostGroups) + " of " + std::to_string(groups) +
         " groups are shown; --format csv and json have all";
}

std::string print_table(const Table& table, OutputFormat format) {
  return print_tables({&table, 1}, format);
}

std::string print_tables(std::span<const Table> tables, OutputFormat format, size_t width) {
  std::string text;
  bool is_noted = false;
  for (Table table : tables) {
    const size_t notes = table.notes.size();
    if (!is_noted) table.notes = all_notes(table);
    is_noted = is_noted || table.notes.size() > notes;
    text += (text.empty() ? "" : "\n") + print_in_format(table, format, width);
  }
  return text;
}

std::string format_fixed(double value, int decimals) {
  char text[400];  // the longest double has 309 digits before the point
  const int length = std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  const std::string_view digits(text, static_cast<size_t>(length));
  const bool is_zero = digits.find_first_of("123456789in") == std::string_view::npos;
  return std::string(is_zero && digits.starts_with('-') ? digits.substr(1) : digits);
}

std::string format_significant(double value, int digits) {
  char text[64];
  const int length = std::snprintf(text, sizeof(text), "%.*g", digits, value);
  return {text, static_cast<size_t>(length)};
}

std::string format_exact(double value) {
  constexpr double kMostExact = 1e15;  // below it a whole number is written with all its digits
  char text[32];
  const bool is_whole = std::abs(value) < kMostExact && value == std::trunc(value);
  const auto [end, error] =
      is_whole ? std::to_chars(text, text + sizeof(text), static_cast<int64_t>(value))
               : std::to_chars(text, text + sizeof(text), value);
  return {text, end};
}

void add_count(const std::string& text, int64_t count, std::vector<std::string>& notes) {
  if (count > 0) notes.push_back(text + ": " + std::to_string(count));
}

std::string cell(std::optional<double> value) {
  return value ? format_fixed(*value, 3) : "–";
}

std::string cell(std::optional<double> value, const std::optional<stats::Interval>& interval) {
  if (!value || !interval) return cell(value);
  return cell(value) + " [" + cell(interval->low) + ", " + cell(interval->high) + "]";
}

std::optional<CellInterval> interval_in(std::string_view cell) {
  const size_t open = cell.find('['), comma = cell.find(", ", open);
  if (open == cell.npos || comma == cell.npos || !cell.ends_with(']')) return std::nullopt;
  const std::optional<double> low = whole_number(cell.substr(open + 1, comma - open - 1)),
                              high = whole_number(cell.substr(comma + 2, cell.size() - comma - 3));
  if (!low || !high) return std::nullopt;
  const stats::Interval interval{*low, *high};
  if (open == 0) return CellInterval{std::nullopt, interval};
  const std::optional<double> value =
      cell[open - 1] == ' ' ? whole_number(cell.substr(0, open - 1)) : std::nullopt;
  return value ? std::optional(CellInterval{value, interval}) : std::nullopt;
}

bool shows_bound(std::optional<double> p, bool is_least) {
  return p && is_least && *p >= 0.001 && format_fixed(*p, 3) != "1.000";  // at most 1 says nothing
}

std::string p_cell(double p, bool is_least) {
  if (p < 0.001) return "< 0.001";
  return (shows_bound(p, is_least) ? "≤ " : "") + format_fixed(p, 3);
}

std::string number(std::optional<double> value) {
  return value ? format_fixed(*value, 6) : "";
}

std::string p_number(double p) {
  return format_significant(p, 6);
}

std::string boolean(bool is_true) {
  return is_true ? "true" : "false";
}

Json or_null(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

}  // namespace rubric::eval
