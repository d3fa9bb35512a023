
#include "eval/report/report.h"

#include <algorithm>

#include "core/error.h"
#include "core/text/utf8.h"

namespace rubric::eval {

namespace {

std::string html_plots(const std::vector<Plot>& plots) {
  if (plots.empty()) return "";
  const std::vector<PlotImage> pictures = draw(plots);
  std::string html;
  if (pictures.size() < plots.size()) {
    html += html_paragraph("Pictures are missing: they need gnuplot (apt-get install gnuplot-nox).",
                           "note");
  }
  if (pictures.empty()) return html;
  html += "<div class=\"pictures\">\n";
  for (const PlotImage& picture : pictures) {
    html += "<figure>" + picture.svg + "<figcaption>" + escape_html(picture.title) +
            "</figcaption></figure>\n";
  }
  return html + "</div>\n";
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --line: #d0d7de; --faint: #57606a; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --faint: #9198a1; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { line-height: 1.2; } h1, p { overflow-wrap: anywhere; }
.table { overflow-x: auto; margin: 1.5rem 0 0.5rem; }
table { border-collapse: collapse; }
.title { font-weight: 600; margin: 1.5rem 0 0; }
.title + .table { margin-top: 0.25rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.8rem; white-space: nowrap; }
th:first-child, td:first-child { padding-left: 0; }
td { font-variant-numeric: tabular-nums; vertical-align: top; }
.left { text-align: left; } .right { text-align: right; }
.long .left { min-width: 8rem; overflow-wrap: anywhere; white-space: normal; }
.note, .signature { color: var(--faint); font-size: 0.9rem; margin: 0.2rem 0; }
.signature { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.pictures { columns: 2 26rem; gap: 1rem; margin: 1.5rem 0; }
figure { break-inside: avoid; margin: 0 0 1rem; max-width: 34rem; }
figure svg { background: white; border: 1px solid var(--line); border-radius: 6px; box-sizing: border-box;
  display: block; height: auto; width: 100%; }
figcaption { color: var(--faint); font-size: 0.9rem; margin-top: 0.3rem; }
.reading { width: 100%; } .reading th { text-align: left; }
.reading td, .reading th { overflow-wrap: break-word; white-space: normal; }
.reading td:last-child { border: 1px solid var(--line); min-width: 8rem; }
@media (max-width: 40rem) { body { margin-top: 1rem; }
  .table th, .table td { font-size: 0.7rem; padding: 0.25rem 0.15rem; white-space: normal; }
  .table td:first-child { min-width: 3rem; overflow-wrap: anywhere; }
  .reading thead, .long thead { display: none; }
  .reading tr, .long tr { display: block; margin-bottom: 1.5rem; }
  .reading td, .table .long td { border-bottom: none; display: block; font-size: 0.9rem;
    padding: 0.1rem 0; text-align: left; }
  .reading td::before, .long td::before { color: var(--faint); content: attr(data-name) ": "; }
  .reading td:last-child { min-height: 2.5rem; padding: 0.2rem; } }
@media print { body { font-size: 10pt; margin: 0; max-width: none; padding: 0; }
  .table { overflow: visible; } table { font-size: 8pt; } th, td { padding: 0.15rem 0.4rem; }
  tr, .note { break-inside: avoid; } .title { break-after: avoid; } .note { font-size: 8pt; }
  .pictures { columns: 2 8cm; } figcaption { font-size: 8pt; } figure svg { max-height: 22cm; } }
)";

// Whether a text column is too wide for a phone.
bool is_long(const Table& table) {
  constexpr size_t kWide = 50;  // bytes
  return std::ranges::any_of(table.rows, [&](const auto& cells) {
    return std::ranges::any_of(cells, [&](const auto& cell) { return cell.size() > kWide; });
  });
}

std::string row(const Table& table, const std::vector<std::string>& cells, std::string_view tag,
                bool names_cells = false) {
  const std::string name(tag);
  std::string html = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool left = i < table.alignment.size() && table.alignment[i] == Align::left;
    html += "<" + name + " class=\"" + (left ? "left" : "right") + "\"";
    if (names_cells && i < table.header.size()) {
      html += " data-name=\"" + escape_html(table.header[i]) + "\"";
    }
    html += ">" + escape_html(cells[i]) + "</" + name + ">";
  }
  return html + "</tr>\n";
}

}  // namespace

std::string to_html(const Report& report) {
  std::string body;
  for (const std::string& text : report.paragraphs) body += html_paragraph(text);
  for (size_t i = 0; i < report.tables.size(); ++i) {
    body += html_table(report.tables[i]);
    if (i == 0) body += html_plots(report.plots);
  }
  if (!report.signatures.empty()) body += "<h2>Signatures</h2>\n";
  for (const std::string& signature : report.signatures) {
    body += html_paragraph(signature, "signature");
  }
  if (!report.command.empty()) {
    body += "<h2>Made by</h2>\n" + html_paragraph(report.command, "signature");
  }
  if (!report.versions.empty()) body += html_paragraph(join(report.versions), "note");
  return html_page(report.title, body);
}

std::string shell_command(const std::string& program, const std::vector<std::string>& arguments) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  std::string line = program;
  for (const std::string& argument : arguments) {
    line += ' ';
    if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
      line += argument;
      continue;
    }
    line += '\'';
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : repair_utf8(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string html_paragraph(std::string_view text, std::string_view style) {
  const std::string attribute = style.empty() ? "" : " class=\"" + std::string(style) + "\"";
  return "<p" + attribute + ">" + escape_html(text) + "</p>\n";
}

std::string html_table(const Table& table) {
  // The title is outside the table: a caption would be as wide as the table, and scroll with it.
  std::string html = table.title.empty() ? "" : html_paragraph(table.title, "title");
  const bool wraps = is_long(table);
  html += std::string("<div class=\"table\"><table") + (wraps ? " class=\"long\"" : "") +
          ">\n<thead>\n" + row(table, table.header, "th") + "</thead>\n<tbody>\n";
  for (const auto& cells : table.rows) html += row(table, cells, "td", wraps);
  html += "</tbody>\n</table></div>\n";
  for (const std::string& note : table.notes) html += html_paragraph(note, "note");
  return html;
}

std::string html_reading_table(const Table& table) {
  std::string html = "<table class=\"reading\">\n<thead>\n" + row(table, table.header, "th") +
                     "</thead>\n<tbody>\n";
  for (const auto& cells : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < cells.size(); ++i) {
      html += "<td data-name=\"" + escape_html(table.header[i]) + "\">" + escape_html(cells[i]) +
              "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string html_page(std::string_view title, std::string_view body) {
  const std::string name = escape_html(title);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         name + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + name +
         "</h1>\n" + std::string(body) + "</body>\n</html>\n";
}

}  // namespace rubric::eval
