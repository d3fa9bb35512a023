#include "eval/report/html.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <openssl/evp.h>

#include "core/error.h"
#include "core/files/embedded.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "eval/report/plots.h"

namespace rubric::eval {
namespace {

constexpr size_t kMostText = 20'000;

// Whether a text column is too wide for a phone.
bool is_long(const Table& table) {
  constexpr size_t kWide = 50;  // bytes
  return std::ranges::any_of(table.rows, [&](const auto& cells) {
    return std::ranges::any_of(cells, [&](const auto& cell) { return cell.size() > kWide; });
  });
}

// Whether the table would not fit on a laptop's screen with each cell on one line.
bool is_wide(const Table& table) {
  constexpr size_t kScreen = 110;  // characters with the space between columns
  std::vector<size_t> widths;
  for (size_t row = 0; row <= table.rows.size(); ++row) {
    const std::vector<std::string>& cells = row == 0 ? table.header : table.rows[row - 1];
    widths.resize(std::max(widths.size(), cells.size()));
    for (size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(cells[i]) + 3);
    }
  }
  return std::reduce(widths.begin(), widths.end()) > kScreen;
}

std::string class_of(const Table& table) {
  std::string names = is_long(table) ? "long" : "";
  if (is_wide(table)) names += names.empty() ? "wide" : " wide";
  return names.empty() ? "" : " class=\"" + names + "\"";
}

CellNumbers cell_numbers(const Table& table, size_t row, size_t column) {
  return table.numbers.empty() ? CellNumbers{} : table.numbers[row][column];
}

// The least and the largest number of the intervals in each column. One that is alone in its column
// is drawn on the scale of the table.
std::map<size_t, stats::Interval> interval_scales(const Table& table) {
  std::map<size_t, stats::Interval> scales;
  std::map<size_t, int> counts;
  std::optional<stats::Interval> all;
  const auto widen = [](const stats::Interval& scale, const stats::Interval& interval) {
    return stats::Interval{std::min(scale.low, interval.low), std::max(scale.high, interval.high)};
  };
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (size_t i = 0; i < table.rows[row].size(); ++i) {
      const CellNumbers cell = cell_numbers(table, row, i);
      std::optional<stats::Interval> found = cell.interval;
      if (!found) continue;
      if (cell.value) found = widen(*found, {*cell.value, *cell.value});
      const auto [scale, is_new] = scales.emplace(i, *found);
      scale->second = widen(scale->second, *found);
      all = widen(all.value_or(*found), *found);
      ++counts[i];
    }
  }
  for (auto& [column, scale] : scales) {
    if (counts[column] == 1) scale = *all;
  }
  std::erase_if(scales, [](const auto& column) { return column.second.low >= column.second.high; });
  return scales;
}

std::string interval_bar(const CellNumbers& cell, const stats::Interval& scale) {
  constexpr double kHeight = 8;
  const auto at = [&](double value) {
    return 1 + 98 * (value - scale.low) / (scale.high - scale.low);
  };
  // Size and colour are those of a notebook, where the style of pages is not.
  std::string bar =
      "<svg class=\"bar\" width=\"96\" height=\"8\" stroke=\"#0072b2\" stroke-width=\"2\" "
      "viewBox=\"0 0 "
      "100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">";
  bar +=
      "<g stroke-opacity=\"0.2\">" + svg_line(0, kHeight / 2, 100, kHeight / 2, "track") + "</g>";
  if (scale.low < 0 && scale.high > 0) bar += svg_line(at(0), 0, at(0), kHeight, "zero");
  bar += svg_line(at(cell.interval->low), kHeight / 2, at(cell.interval->high), kHeight / 2,
                  "interval");
  if (cell.value) bar += svg_line(at(*cell.value), 0, at(*cell.value), kHeight, "value");
  return bar + "</svg>";
}

// Makes the rows of one table.
class TableRows {
 public:
  explicit TableRows(const Table& table)
      : table_(table), wraps_(is_long(table)), scales_(interval_scales(table)) {}

  bool wraps() const { return wraps_; }

  std::string header() const {
    std::string html = "<tr>";
    for (size_t i = 0; i < table_.header.size(); ++i) {
      html += "<th class=\"" + side(i) + "\">" + escape_html(table_.header[i]) + "</th>";
    }
    return html + "</tr>\n";
  }

  std::string row(size_t index) const {
    std::string html = "<tr>";
    for (size_t i = 0; i < table_.rows[index].size(); ++i) html += cell(index, i);
    return html + "</tr>\n";
  }

 private:
  std::string side(size_t column) const {
    const bool is_left =
        column < table_.alignment.size() && table_.alignment[column] == Align::left;
    return is_left ? "left" : "right";
  }

  std::string cell(size_t index, size_t column) const {
    const std::string& text = table_.rows[index][column];
    const CellNumbers numbers = cell_numbers(table_, index, column);
    const bool has_interval = numbers.interval.has_value();
    std::string html = "<td class=\"" + side(column) + (has_interval ? " interval\"" : "\"");
    if (wraps_ && column < table_.header.size()) {
      html += " data-name=\"" + escape_html(table_.header[column]) + "\"";
    }
    if (!has_interval) return html + ">" + escape_html(cut_text(text, kMostText)) + "</td>";
    html += " title=\"" + escape_html(title(index, column)) + "\">";
    const size_t ends = text.find('[');
    html += text.substr(0, ends) + "<span class=\"ends\">" + text.substr(ends) + "</span>";
    const auto scale = scales_.find(column);
    if (scale != scales_.end()) html += interval_bar(numbers, scale->second);
    return html + "</td>";
  }

  // "f1, Pearson's r: 0.123 [0.100, 0.150], n = 123"
  std::string title(size_t index, size_t column) const {
    const std::vector<std::string>& cells = table_.rows[index];
    std::string title = column > 0 ? cut_text(cells[0], 100) : "";
    if (column < table_.header.size()) title += (title.empty() ? "" : ", ") + table_.header[column];
    title += ": " + cells[column];
    const std::optional<int64_t> count = cell_numbers(table_, index, column).n;
    return count ? title + ", n = " + std::to_string(*count) : title;
  }

  const Table& table_;
  bool wraps_;
  std::map<size_t, stats::Interval> scales_;
};

// Adds `count` pieces, piece(0) and so on, while `html` stays within `most_bytes`; says how many it
// has left out.
template <class Piece>
size_t add_pieces(size_t count, Piece piece, size_t most_bytes, std::string& html) {
  for (size_t i = 0; i < count; ++i) {
    const std::string next = piece(i);
    if (html.size() + next.size() > most_bytes) return count - i;
    html += next;
  }
  return 0;
}

std::string more(size_t count, const char* what) {
  return count == 0 ? ""
                    : html_paragraph("and " + std::to_string(count) + " more " + what +
                                         ", which would make this page too large",
                                     "note");
}

std::string base64_sha256(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE], encoded[2 * EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) != 1)
    throw Error("SHA-256 is not available in this OpenSSL");
  EVP_EncodeBlock(encoded, digest, static_cast<int>(size));
  return reinterpret_cast<const char*>(encoded);
}

std::string_view page_style() {
  return embedded_text("eval/report/page.css");
}
std::string_view page_script() {
  return embedded_text("eval/report/page.js");
}

std::string policy() {
  const auto source = [](std::string_view text) { return "'sha256-" + base64_sha256(text) + "'"; };
  return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " +
         source(page_style()) + "; script-src " + source(page_script());
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string result = repair_utf8(text);
  for (const auto& [from, to] :
       {std::pair("&", "&amp;"), {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}}) {
    replace_all(result, from, to);
  }
  return result;
}

std::string script_json(const Json& json) {
  std::string safe = json.dump();
  for (const auto& [from, to] : {std::pair("<", "\\u003c"),
                                 {">", "\\u003e"},
                                 {"&", "\\u0026"},
                                 {"\u2028", "\\u2028"},
                                 {"\u2029", "\\u2029"}}) {
    replace_all(safe, from, to);
  }
  return safe;
}

std::string cut_text(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  size_t end = most_bytes;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "… (" + std::to_string(text.size() - end) +
         " more bytes)";
}

std::string html_paragraph(std::string_view text, std::string_view style) {
  const std::string attribute = style.empty() ? "" : " class=\"" + std::string(style) + "\"";
  return "<p" + attribute + ">" + escape_html(cut_text(text, kMostText)) + "</p>\n";
}

std::string html_table(const Table& table, size_t most_bytes) {
  const TableRows rows(table);
  std::string html;
  // The title is outside the table: a caption would be as wide as the table, and scroll with it.
  if (table.is_folded) {
    html = "<details>\n<summary>" + escape_html(cut_text(table.title, kMostText)) + "</summary>\n";
  } else if (!table.title.empty()) {
    html = html_paragraph(table.title, "title");
  }
  html += std::string("<div class=\"table\"><table") + class_of(table) + ">\n<thead>\n" +
          rows.header() + "</thead>\n<tbody>\n";
  const size_t rows_left_out = add_pieces(
      table.rows.size(), [&](size_t i) { return rows.row(i); }, most_bytes, html);
  html += "</tbody>\n</table></div>\n" + more(rows_left_out, "rows");
  const size_t notes_left_out = add_pieces(
      table.notes.size(), [&](size_t i) { return html_paragraph(table.notes[i], "note"); },
      most_bytes, html);
  html += more(notes_left_out, "notes");
  return table.is_folded ? html + "</details>\n" : html;
}

std::string html_reading_table(const Table& table, size_t most_bytes) {
  std::string html =
      "<table class=\"reading\">\n<thead>\n" + TableRows(table).header() + "</thead>\n<tbody>\n";
  const auto row = [&](size_t index) {
    const std::vector<std::string>& cells = table.rows[index];
    std::string line = "<tr>";
    for (size_t i = 0; i < cells.size(); ++i) {
      line += "<td data-name=\"" + escape_html(table.header[i]) + "\">" + escape_html(cells[i]) +
              "</td>";
    }
    return line + "</tr>\n";
  };
  const size_t left_out = add_pieces(table.rows.size(), row, most_bytes, html);
  return html + "</tbody>\n</table>\n" + more(left_out, "rows");
}

std::string html_page(std::string_view title, std::string_view body) {
  const std::string name = escape_html(cut_text(title, kMostText));
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy() +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         name + "</title>\n<style>" + std::string(page_style()) +
         "</style>\n</head>\n<body>\n<h1>" + name + "</h1>\n" + std::string(body) + "<script>" +
         std::string(page_script()) + "</script>\n</body>\n</html>\n";
}

}  // namespace rubric::eval
