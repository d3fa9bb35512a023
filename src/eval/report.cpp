#include "eval/report.h"

#include <string_view>

#include "core/utf8.h"

namespace rubric {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --line: #d0d7de; --faint: #57606a; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --faint: #9198a1; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0 0.5rem; }
caption { font-weight: 600; padding-bottom: 0.5rem; text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.8rem; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; }
.left { text-align: left; } .right { text-align: right; }
.note, .signature { color: var(--faint); font-size: 0.9rem; margin: 0.2rem 0; }
.signature { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
)";

std::string escaped(std::string_view text) {
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

std::string paragraph(std::string_view text, std::string_view style = "") {
  const std::string attribute = style.empty() ? "" : " class=\"" + std::string(style) + "\"";
  return "<p" + attribute + ">" + escaped(text) + "</p>\n";
}

std::string row(const Table& table, const std::vector<std::string>& cells, std::string_view tag) {
  const std::string name(tag);
  std::string html = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool left = i < table.alignment.size() && table.alignment[i] == Align::left;
    html += "<" + name + " class=\"" + (left ? "left" : "right") + "\">" + escaped(cells[i]) +
            "</" + name + ">";
  }
  return html + "</tr>\n";
}

std::string to_html(const Table& table) {
  std::string html = "<div class=\"table\"><table>\n";
  if (!table.title.empty()) html += "<caption>" + escaped(table.title) + "</caption>\n";
  html += "<thead>\n" + row(table, table.header, "th") + "</thead>\n<tbody>\n";
  for (const auto& cells : table.rows) html += row(table, cells, "td");
  html += "</tbody>\n</table></div>\n";
  for (const std::string& note : table.notes) html += paragraph(note, "note");
  return html;
}

}  // namespace

std::string to_html(const Report& report) {
  const std::string title = escaped(report.title);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      title + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n";
  for (const std::string& text : report.paragraphs) html += paragraph(text);
  for (const Table& table : report.tables) html += to_html(table);
  if (!report.signatures.empty()) html += "<h2>Signatures</h2>\n";
  for (const std::string& signature : report.signatures) html += paragraph(signature, "signature");
  return html + "</body>\n</html>\n";
}

}  // namespace rubric
