#include "eval/report/report.h"

#include "core/error.h"
#include "eval/report/html.h"

namespace rubric {
namespace {

std::string html_pictures(const std::vector<Plot>& plots) {
  if (plots.empty()) return "";
  const std::vector<Picture> pictures = draw(plots);
  std::string html;
  if (pictures.size() < plots.size()) {
    html += html_paragraph("Pictures are missing: they need gnuplot (apt-get install gnuplot-nox).",
                           "note");
  }
  if (pictures.empty()) return html;
  html += "<div class=\"pictures\">\n";
  for (const Picture& picture : pictures) {
    html += "<figure>" + picture.svg + "<figcaption>" + escape_html(picture.title) +
            "</figcaption></figure>\n";
  }
  return html + "</div>\n";
}

}  // namespace

std::string to_html(const Report& report) {
  std::string body;
  for (const std::string& text : report.paragraphs) body += html_paragraph(text);
  for (size_t i = 0; i < report.tables.size(); ++i) {
    body += html_table(report.tables[i]);
    if (i == 0) body += html_pictures(report.plots);
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

}  // namespace rubric
