// Error analysis (MOCHA's Tables 7 and 9): the rows on which a metric and the human label, or two
// metrics, are furthest apart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/report/table.h"

namespace rubric::eval {

// The ends of what a metric, or the label, can be; mapped to 0 and 1 by a straight line, so that
// values on different scales can be compared. Values beyond the ends go beyond 0 and 1.
struct Scale {
  std::string name;
  double low = 0, high = 1;
};

struct Gap {
  std::string group;
  size_t row = 0;
  double first = 0, second = 0;  // as they are in the file
  double gap = 0;                // the first less the second, both on [0, 1]
};

// The `most` rows of each group (rows without groups are one) with the largest |gap|, groups as
// they appear, equal gaps in file order.
std::vector<Gap> largest_gaps(const data::ScoredRows& rows, const std::vector<double>& first,
                              const Scale& first_scale, const std::vector<double>& second,
                              const Scale& second_scale, int64_t most);

// The list that a reader of the largest gaps fills in.

// Each row of the file without its scores, after {"category": "", "group", "id", FIRST, SECOND,
// "gap"}. `first` and `second` are the names of the two.
std::vector<Json> gap_rows(const data::ScoredRows& rows, std::span<const Gap> gaps,
                           const std::string& first, const std::string& second);

// The list as JSON lines, and as a table for a spreadsheet.
std::string gap_lines(const std::vector<Json>& rows);
std::string gap_csv(const std::vector<Json>& rows);

// The list for a page: group, id, question, reference, candidate, the two, the gap and an empty
// category.
Table gap_table(const std::vector<Json>& rows, const std::string& first, const std::string& second);

// A member of a row to be read: a text itself, a list's parts between " / ", "" where there is
// none.
std::string cell_text(const Json& row, const char* name);

// How many rows of a filled list of gaps are in each category.

// Of a list as `evaluate gaps` wrote it (JSONL, CSV or TSV) with "category" filled in: category,
// rows, percent, and by group where there are several; most first. Rows without a category are
// counted in a note. Throws InputError when none has one.
Table tally_categories(const std::filesystem::path& filled);

}  // namespace rubric::eval
