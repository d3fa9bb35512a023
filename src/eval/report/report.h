// report.html: what a run or an evaluation found, in one file that needs nothing else.
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
  std::vector<std::string> signatures;  // of the figures shown
  std::string command;                  // that made it, as a shell takes it; "": not told
  std::vector<std::string> versions;    // "rubric 0.1.0"
};

// One HTML page for phones and print: inline style for light and dark, no script, all text escaped.
// Where pictures could not be drawn it says so.
std::string to_html(const Report& report);

// The command as one line for a shell.
std::string shell_command(const std::string& program, const std::vector<std::string>& arguments);

// What every page of ours shares.

// Text as HTML, safe in elements and between quotes; invalid UTF-8 is repaired.
std::string escape_html(std::string_view text);

std::string html_paragraph(std::string_view text, std::string_view style = "");

// With its notes below; scrolls sideways where it is wider than the page. One with long texts wraps
// them, and on a phone each row is a card.
std::string html_table(const Table& table);

// A table of texts to be read and filled in: cells wrap, and on a phone each row is a card.
std::string html_reading_table(const Table& table);

// A whole page: inline style for light, dark and print, no script. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace rubric::eval
