// report.html: the results of a run or an evaluation as one self-contained HTML file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/report/html.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"
#include "rubric/version.h"

namespace rubric::eval {

// The rows that the points of the plots stand for, by their numbers.
struct ReportRows {
  std::vector<std::string> header;
  std::function<std::vector<std::string>(uint32_t row)> cells;  // of a row, as `header` names them
};

struct Report {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<Table> tables;
  std::vector<Plot> plots;              // drawn below the first table
  std::vector<std::string> signatures;  // of the scores shown
  std::string command;                  // the shell command that made it; "": unknown
  std::vector<std::string> versions = {"rubric " + version_with_build()};
  ReportRows rows = {};
};

// One HTML page of at most kMostPageBytes. It embeds some hundred of the rows behind its points,
// which a click on a point shows. What would make the page too large is counted instead. All text
// is escaped.
std::string to_html(const Report& report);

// The command as one shell line.
std::string shell_command(const std::string& program, const std::vector<std::string>& arguments);

// Embedded rows.

struct EmbeddedRows {
  std::string element;  // holds the rows as JSON; "" if no point has rows
  ShownRows shown;
};

// Chooses rows so that every point has some while fewer than some hundred rows and `most_bytes` are
// taken: in turn for each point, spread over its rows, and first those that other points share.
EmbeddedRows embed_rows(const Report& report, size_t most_bytes);

}  // namespace rubric::eval
