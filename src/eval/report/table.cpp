#include "eval/report/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <string_view>
#include <system_error>
#include <utility>

#include <unicode/uchar.h>

#include "core/text/utf8.h"
#include "eval/report/html.h"

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

std::string latex_cell(std::string_view text) {
  constexpr std::string_view kWithBackslash = "{}$&#_%";
  static const std::map<char, std::string_view> kCommands = {
      {'\\', "\\textbackslash{}"},
      {'~', "\\textasciitilde{}"},
      {'^', "\\textasciicircum{}"},
      {'<', "\\textless{}"},
      {'>', "\\textgreater{}"},
      {'[', "{[}"}};  // else it would be an argument of the preceding "\\"
  std::string result;
  for (const char c : plain_text(text)) {
    const auto command = kCommands.find(c);
    if (command != kCommands.end()) {
      result += command->second;
      continue;
    }
    if (kWithBackslash.find(c) != kWithBackslash.npos) result += '\\';
    result += c;
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

// Narrows the widest columns until the key columns and any other one fit into `width`.
void narrow(const Table& table, size_t width, std::vector<size_t>& widths) {
  constexpr size_t kLeast = 8;
  const size_t keys = std::min(table.key_columns, widths.size());
  for (size_t column = std::min(keys, widths.size() - 1); column < widths.size(); ++column) {
    Block block(keys);
    std::iota(block.begin(), block.end(), size_t{0});
    if (column >= keys) block.push_back(column);
    size_t used = kGap.size() * (block.size() - 1);
    for (const size_t i : block) used += widths[i];
    while (used > width) {
      const size_t widest =
          *std::ranges::max_element(block, {}, [&](size_t i) { return widths[i]; });
      if (widths[widest] <= kLeast) break;
      --widths[widest];
      --used;
    }
  }
}

// The cell in lines of at most `width` columns, broken between words or, where there are none,
// within one.
std::vector<std::string> cell_lines(const std::string& text, size_t width) {
  if (display_width(text) <= width) return {text};
  std::vector<std::string> lines(1);
  const std::string words = wrapped(text, width);
  for (size_t i = 0; i < words.size();) {
    const char32_t c = decode_utf8(words, i);
    if (c == U'\n' || display_width(lines.back()) + character_width(c) > width)
      lines.emplace_back();
    if (c != U'\n') append_utf8(c, lines.back());
  }
  return lines;
}

// The row's cells of the block, and a rule below the header.
std::string row_text(const Table& table, const std::vector<std::string>& row, const Block& block,
                     const std::vector<size_t>& widths, bool is_header) {
  std::vector<std::vector<std::string>> cells;
  size_t height = 1;
  for (const size_t i : block) {
    cells.push_back(cell_lines(row[i], widths[i]));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (size_t line = 0; line < height; ++line) {
    std::string text;
    for (size_t k = 0; k < block.size(); ++k) {
      const std::string cell = line < cells[k].size() ? cells[k][line] : "";
      const std::string padding(widths[block[k]] - display_width(cell), ' ');
      text += k > 0 ? kGap : "";
      text += alignment(table, block[k]) == Align::left ? cell + padding : padding + cell;
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  if (!is_header) return out;
  for (size_t k = 0; k < block.size(); ++k) {
    out += (k > 0 ? kGap : "");
    out.append(widths[block[k]], '-');
  }
  return out + "\n";
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
  if (width > 0 && !widths.empty()) narrow(table, width, widths);
  std::string out = table.title.empty() ? "" : wrapped(plain_text(table.title), width) + "\n";
  bool is_first = table.title.empty();
  for (const Block& block : blocks_of(table, widths, width)) {
    if (!std::exchange(is_first, false)) out += '\n';
    for (size_t row = 0; row < lines.size(); ++row) {
      out += row_text(table, lines[row], block, widths, row == 0);
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

// In the style of the package booktabs. Title and notes are comments.
std::string to_latex(const Table& table) {
  const size_t columns = column_count(table);
  std::string out = table.title.empty() ? "" : "% " + plain_text(table.title) + "\n";
  out += "% needs \\usepackage{booktabs}\n\\begin{tabular}{";
  for (size_t i = 0; i < columns; ++i) out += alignment(table, i) == Align::left ? 'l' : 'r';
  out += "}\n\\toprule\n" + joined(table.header, columns, latex_cell, " & ") + " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    out += joined(row, columns, latex_cell, " & ") + " \\\\\n";
  }
  out += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : table.notes) out += "% " + plain_text(note) + "\n";
  return out;
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

std::string groups_note(size_t groups) {
  if (groups <= kMostGroups) return "";
  return "the first " + std::to_string(kMostGroups) + " of " + std::to_string(groups) +
         " groups are shown; --format csv and json have all";
}

std::string print_tables(std::span<const Table> tables, OutputFormat format, size_t width) {
  std::string text;
  for (const Table& table : tables) {
    text += (text.empty() ? "" : "\n");
    text += format == OutputFormat::markdown ? to_markdown(table)
            : format == OutputFormat::latex  ? to_latex(table)
            : format == OutputFormat::html   ? html_table(table)
                                             : to_text(table, width);
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

std::string cell(std::optional<double> value, int decimals) {
  return value ? format_fixed(*value, decimals) : "–";
}

std::string cell(std::optional<double> value, const std::optional<stats::Interval>& interval,
                 int decimals) {
  const std::string text = cell(value, decimals);
  if (!value || !interval) return text;
  return text + " [" + format_fixed(interval->low, decimals) + ", " +
         format_fixed(interval->high, decimals) + "]";
}

bool shows_bound(std::optional<double> p, bool is_least) {
  return p && is_least && *p >= 0.001 && format_fixed(*p, 3) != "1.000";  // at most 1 says nothing
}

std::string p_cell(double p, bool is_least) {
  if (p < 0.001) return "< 0.001";
  return (shows_bound(p, is_least) ? "≤ " : "") + format_fixed(p, 3);
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
