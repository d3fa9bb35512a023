// Which answers people should label, with known probabilities (docs/estimate.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/missing.h"
#include "rubric/result.h"
#include "rubric/row_format.h"

namespace rubric {

enum class ChooseMethod {
  random,       // all with one probability
  score,        // five strata of a metric's scores, more where labels vary more about it
  disagreement  // more where metrics disagree
};
inline constexpr const char* kChooseMethods[] = {"random", "score", "disagreement"};  // in order

struct ChooseRequest {
  static constexpr std::string_view kRecords[] = {"sheet"};  // the names of the result's records

  std::filesystem::path input;    // scored rows
  int64_t budget = 100;           // rows of the sheet, an earlier one's included; `system`: about
  std::string human = "verdict";  // the column to fill in
  std::filesystem::path labels = {};      // an earlier sheet, perhaps filled in part; "": none
  std::vector<std::string> metrics = {};  // empty: all
  std::string system = {};  // the field that names a row's system: all answers to a question are
                            // drawn together
  ChooseMethod method = ChooseMethod::random;
  uint64_t seed = 0;
  std::filesystem::path output = {};     // the sheet as .csv or .html
  RowFormat row_format = {};             // of both files
  Missing missing = Missing::automatic;  // answers without a score: an error, or drop

  void visit_fields(auto& field) {
    field("input", input, "the scored rows of all answers").input().short_as('i').required();
    field("budget", budget,
          "rows of the sheet, with those of an earlier one; about so many with --system")
        .range(1, 1'000'000'000);
    field("method", method, "random, score or disagreement")
        .choices({std::begin(kChooseMethods), std::end(kChooseMethods)});
    field("labels", labels, "an earlier sheet, filled in or in part").input();
    field("human", human, "the field of the human label").named("FIELD");
    field("metric", metrics, "the metrics, such as lerc,f1; may be repeated; without it all")
        .names();
    field("system", system, "the field that names the system of a row; else all are of one")
        .named("FIELD");
    field("seed", seed, "another one, other answers");
    field("output", output, "the sheet").output().short_as('o').required();
    row_format.visit_fields(field);
    visit_missing(field, missing);
  }
};

// Draws the sheet that people fill in.
//
// docs/results_format.md has the measurements. Records "sheet" have the label, the rows' fields
// without scores, "probability" (a label's weight is its inverse) and "stratum". Rows of an earlier
// sheet come first, others in random order. records_csv() is the file to fill in.
//
// Throws InputError for a budget that is below the earlier sheet or above the answers, rows without
// id, an earlier sheet that does not fit, and too few metrics.
RUBRIC_PUBLIC Result choose(const ChooseRequest& request, const Context& context = {});

}  // namespace rubric
