// report.html: what a run or an evaluation found, in one file that needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "eval/table.h"

namespace rubric {

struct Report {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<Table> tables;
  std::vector<std::string> signatures;  // of the figures shown
};

// One HTML page: inline style for light and dark, no script, all text escaped.
std::string to_html(const Report& report);

}  // namespace rubric
