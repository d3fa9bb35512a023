// The list that a reader of the largest gaps fills in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/agreement/gaps.h"
#include "eval/report/table.h"

namespace rubric {

// Each row of the file without its scores, after {"category": "", "group", "id", FIRST, SECOND,
// "gap"}. `first` and `second` are the names of the two.
std::vector<Json> gap_rows(const ScoredRows& rows, std::span<const Gap> gaps,
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

}  // namespace rubric
