#include "eval/report/report.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"

namespace rubric::eval {

namespace {

// The body of a page, which grows until a number of bytes is reached. What does not fit is counted.
class Body {
 public:
  explicit Body(size_t most_bytes) : left_(most_bytes - kReserve) {}

  // The most that one part may take, so that what follows it has room.
  size_t share() const { return left_ / 2; }

  void add(std::string_view html) {
    if (html.size() > left_) {
      ++left_out_;
      return;
    }
    left_ -= html.size();
    html_ += html;
  }

  std::string html() const {
    if (left_out_ == 0) return html_;
    return html_ + html_paragraph("Left out, as the page would be too large: " +
                                      std::to_string(left_out_) + " parts of this report",
                                  "note");
  }

 private:
  static constexpr size_t kReserve = 200;
  size_t left_, left_out_ = 0;
  std::string html_;
};

void add_plots(const std::vector<Plot>& plots, const ShownRows& shown, Body& body) {
  if (plots.empty()) return;
  const size_t share = body.share();
  size_t used = 0, left_out = 0;
  std::string html = "<div class=\"pictures\">\n";
  for (const Plot& plot : plots) {
    const std::string figure = "<figure>" + draw(plot, shown) + "<figcaption>" +
                               escape_html(plot.title) + "</figcaption></figure>\n";
    used += figure.size();
    if (used > share) {
      ++left_out;
    } else {
      html += figure;
    }
  }
  html += "</div>\n";
  if (left_out > 0) {
    html += html_paragraph(
        "and " + std::to_string(left_out) + " more pictures, which would make this page too large",
        "note");
  }
  body.add(html);
}

}  // namespace

std::string to_html(const Report& report) {
  constexpr size_t kMostOfRows = 400'000;
  const EmbeddedRows rows = embed_rows(report, kMostOfRows);
  Body body(kMostPageBytes - html_page(report.title, rows.element).size());
  for (const std::string& text : report.paragraphs) body.add(html_paragraph(text));
  for (size_t i = 0; i < std::max<size_t>(report.tables.size(), 1); ++i) {
    if (i < report.tables.size()) body.add(html_table(report.tables[i], body.share()));
    if (i == 0) add_plots(report.plots, rows.shown, body);
  }
  if (!report.signatures.empty()) body.add("<h2>Signatures</h2>\n");
  for (const std::string& signature : report.signatures) {
    body.add(html_paragraph(signature, "signature"));
  }
  if (!report.command.empty()) {
    body.add("<h2>Made by</h2>\n" + html_paragraph(report.command, "signature"));
  }
  if (!report.versions.empty()) body.add(html_paragraph(join(report.versions), "note"));
  return html_page(report.title, body.html() + rows.element);
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

}  // namespace rubric::eval
