// Which answers people should label, with known probabilities (docs/estimate.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/output.h"

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

// Of the answers that were to be drawn from, by score.
struct ChosenStratum {
  double low = 0, high = 0;  // the scores in it
  int64_t answers = 0, chosen = 0;
  std::optional<double> deviation = {};  // of labels about the metric; nothing: too few labels
};

struct ChooseResult {
  bool from_ledger = false;  // the input is a judge's ledger
  std::string human;
  int64_t answers = 0;     // in the file
  int64_t earlier = 0;     // in the earlier sheet
  int64_t unlabelled = 0;  // of these
  int64_t chosen = 0;      // new ones
  // The sheet: the label, what the rows hold but scores, "probability", with which a label is to be
  // weighted, and "stratum", within which it was drawn. Earlier rows first, others in random order.
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<ChosenStratum> strata = {};  // by score
  std::string signature;
  std::vector<std::string> notes;
};

// Throws InputError for a budget that is below the earlier sheet or above the answers, rows without
// id, an earlier sheet that does not fit, and too few metrics.
RUBRIC_PUBLIC ChooseResult choose(const ChooseRequest& request, const Context& context = {});

// What was chosen as tables to read; the sheet as CSV; all as JSON.
RUBRIC_PUBLIC std::string print(const ChooseResult& result, OutputFormat format);

}  // namespace rubric
