// Error analysis (MOCHA's Tables 7 and 9): the rows on which a metric and the human label, or two
// metrics, differ most; the list of them for a reader to put into categories; and the counts of
// those categories.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "rubric/context.h"
#include "rubric/missing.h"
#include "rubric/result.h"
#include "rubric/row_format.h"

namespace rubric::eval {

struct GapsRequest {
  static constexpr std::string_view kRecords[] = {"gaps"};

  std::filesystem::path input;
  std::vector<std::string> metrics;  // one is compared with the human label
  std::string human = "score";
  std::string group;                // "": in MOCHA's files constituent, else none
  std::vector<std::string> scales;  // "lerc=1:5"
  int64_t most = 10;
  std::filesystem::path output;
  std::filesystem::path tally;  // alone
  RowFormat row_format;
  Missing missing = Missing::automatic;

  void visit_fields(auto& field) {
    field("input", input, "the scored rows").input().short_as('i');
    field("metric", metrics,
          "the metric, or two: a,b, or repeated; one is compared with the human label")
        .names();
    field("human", human, "the field of the human label").named("FIELD");
    field("group", group, "the field to take rows by; in MOCHA's files constituent").named("FIELD");
    field("scale", scales, "what a metric or the label can be, such as lerc=1:5; may be repeated")
        .named("NAME=LOW:HIGH");
    field("most", most, "rows of each group").range(1, 1'000'000);
    field("output", output, "the list to fill in").output().short_as('o');
    field("tally", tally, "a filled list (.jsonl or .csv), whose categories are counted").input();
    row_format.visit_fields(field);
    visit_missing(field, missing);
  }
};

// The list of gaps, which it also writes to `output`, or the tally of a filled one.
//
// The list has, of each group in order of appearance, the `most` rows with the largest |gap|, equal
// gaps in file order. gap = m(first) - m(second), where m maps a scale linearly to [0, 1], so that
// values on different scales can be compared. A scale that is not given is 1 to 5 for MOCHA's
// ratings, and 0 to 1 for all else. Measurements of each group: "rows", the number listed, and
// "largest_gap". Records: "gaps", with group, id, question, reference, candidate, the two values
// and their gap. `output` has the rows of the file without their scores, after {"category": "",
// "group", "id", FIRST, SECOND, "gap"}.
//
// docs/results_format.md has the measurements of a tally.
//
// Throws InputError for labels outside their scale, values whose scale is not known, and a list
// without any category. A learned metric may leave its scale slightly: such values are kept, and a
// warning counts them. Ends have a tolerance (stats::is_on_scale()).
Result evaluate_gaps(const GapsRequest& request, const Context& context = {});

// A field of a row (data::find_field) as text: a string itself, a list joined by " / ", "" if
// missing.
std::string cell_text(const Json& row, const std::string& name);

}  // namespace rubric::eval
