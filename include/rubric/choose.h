// Which answers people should label, with known probabilities (docs/estimate.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/result.h"

namespace rubric {

enum class ChooseMethod {
  random,       // all alike
  score,        // five strata of a metric's scores, more where labels so far vary more about it
  disagreement  // more where metrics disagree
};
inline constexpr const char* kChooseMethods[] = {"random", "score", "disagreement"};  // in order

struct ChooseRequest {
  std::filesystem::path input;    // scored rows
  int64_t budget = 0;             // rows of the sheet, with an earlier one's; with `system` about
  std::string human = "verdict";  // the column to fill in
  std::filesystem::path labels = {};      // an earlier sheet, filled in or in part; "": none
  std::vector<std::string> metrics = {};  // empty: all
  std::string system = {};  // the field that names a row's system: all answers to a question are
                            // drawn together
  ChooseMethod method = ChooseMethod::random;
  uint64_t seed = 0;
  std::filesystem::path output = {};  // also written: the sheet as .csv, or to fill in as .html
  std::string input_format = {};      // "": by each file's name
  std::map<std::string, std::string> fields = {};  // the files' names of an answer's, by ours
  char delimiter = '\0';  // between the columns of a table; '\0': the format's
};

// Draws the sheet that people fill in.
//
// Measurements: answers, of the file; earlier, of the earlier sheet; unlabelled, of these without a
// label; chosen, new ones. Of the strata by score, by which new answers were drawn, each the subset
// "stratum 1" and so on: lowest_score, highest_score, answers, chosen, and standard_deviation, of
// labels about the metric, which is undefined where labels are too few. Records "sheet": the label,
// what the rows hold but scores, "probability", with which a label is to be weighted, and
// "stratum", within which it was drawn. Earlier rows first, others in random order. records_csv()
// is the file to fill in.
//
// Throws InputError for a budget that is below the earlier sheet or above the answers, rows without
// id, an earlier sheet that does not fit, and too few metrics.
RUBRIC_PUBLIC Result choose(const ChooseRequest& request, const Context& context = {});

}  // namespace rubric
