// report.html: the results of a run or an evaluation as one self-contained HTML file, and the HTML
// elements that all pages share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {

struct Report {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<Table> tables;
  std::vector<Plot> plots;              // drawn below the first table
  std::vector<std::string> signatures;  // of the scores shown
  std::string command;                  // the shell command that made it; "": unknown
  std::vector<std::string> versions;    // "rubric 0.1.0"
};

// One HTML page for phones and print: inline style for light and dark, no script, all text escaped.
// Says so if plots could not be drawn.
std::string to_html(const Report& report);

// The command as one shell line.
std::string shell_command(const std::string& program, const std::vector<std::string>& arguments);

// HTML elements.

// Escapes text for HTML, in elements and quoted attributes; invalid UTF-8 is repaired.
std::string escape_html(std::string_view text);

std::string html_paragraph(std::string_view text, std::string_view style = "");

// The table with its notes below; scrolls horizontally when wider than the page. A table with long
// texts wraps them, and on a phone each row is a card.
std::string html_table(const Table& table);

// A table of texts to read and fill in: cells wrap, and on a phone each row is a card.
std::string html_reading_table(const Table& table);

// A whole page: inline style for light, dark and print, no script. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace rubric::eval
