// Error analysis (MOCHA's Tables 7 and 9): the rows on which a metric and the human label, or two
// metrics, differ most; the list of them for a reader to put into categories; and the counts of
// those categories.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "rubric/result.h"

namespace rubric::eval {

// The range of a metric or of the label, mapped linearly to [0, 1] so that values on different
// scales can be compared. Values outside the range map outside [0, 1].
struct Scale {
  std::string name;
  double low = 0, high = 1;
};

// The default scale of a metric or a label: 1 to 5 for MOCHA's ratings, else 0 to
// 1. Throws InputError with `where` for values outside 0 to 1, whose scale is not known.
Scale default_scale(const std::string& name, bool is_rating, std::span<const double> values,
                    const std::string& where);

// Throws InputError for labels outside their scale. A learned metric may leave its scale slightly:
// such values are kept, and a warning counts them. Ends have a tolerance (stats::is_on_scale()).
void check_scale(const Scale& scale, bool is_label, std::span<const double> values);

struct Gap {
  std::string group;
  size_t row = 0;
  double first = 0, second = 0;  // on the scales of the file
  double gap = 0;                // first - second, both on [0, 1]
};

// The `most` rows of each group with the largest |gap|; rows without groups form one group. Groups
// are in order of appearance, equal gaps in file order.
std::vector<Gap> largest_gaps(const data::ScoredRows& rows, const std::vector<double>& first,
                              const Scale& first_scale, const std::vector<double>& second,
                              const Scale& second_scale, int64_t most);

// The list.

// Each row of the file without its scores, after {"category": "", "group", "id", FIRST, SECOND,
// "gap"}, where `first` and `second` are the names of the two compared.
std::vector<Json> gap_rows(const data::ScoredRows& rows, std::span<const Gap> gaps,
                           const std::string& first, const std::string& second);

// The list as JSON lines, and as CSV for a spreadsheet.
std::string gap_lines(const std::vector<Json>& rows);
std::string gap_csv(const std::vector<Json>& rows);

// The list as a result: of each group "rows", the number listed, and "largest_gap", in [0, 1].
// Records: "gaps", with group, id, question, reference, candidate, the two values and their gap.
Result gaps_result(const std::vector<Json>& rows, const std::string& first,
                   const std::string& second);

// A field of a row (data::find_field) as text: a string itself, a list joined by " / ", "" if
// missing.
std::string cell_text(const Json& row, const std::string& name);

// Counting categories.

// Counts the categories of a list that `evaluate gaps` wrote (JSONL, CSV or TSV) after "category"
// was filled in. docs/results_format.md has the measurements. A note counts rows without a
// category. Throws InputError when no row has one.
Result tally_categories(const std::filesystem::path& filled);

}  // namespace rubric::eval
