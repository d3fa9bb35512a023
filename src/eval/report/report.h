// report.html: what a run or an evaluation found, in one file that needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric {

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

}  // namespace rubric
