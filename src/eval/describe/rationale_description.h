// The statistics of data sets of rationales (REV, Chen et al. 2022, Table 3).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "eval/report/table.h"

namespace rubric {

struct RationaleCounts {
  std::string split;
  int64_t examples = 0;
  std::vector<std::string> unusable;  // what is wrong with examples that were left out, a line each
  // Of CoS-E without its questions these four are 0, as there is nothing to count.
  int64_t questions = 0;  // distinct ones, or pairs of premise and hypothesis
  int64_t least_choices = 0, most_choices = 0;
  int64_t with_label = 0;      // rationales in which the label's words stand together
  double rationale_words = 0;  // the mean, in words of BERT's basic tokenizer (cased)
  // How many examples have each label: of questions, "choice 1", "choice 2", … by its place.
  std::map<std::string, int64_t> labels;
};

RationaleCounts count_rationales(const std::string& split, std::span<const Rationale> records);

// Table 3 and more, a row a split; then the labels' distribution, where there are labels.
std::vector<Table> rationale_description_tables(std::span<const RationaleCounts> splits);

// A figure a row: split, figure, value.
Table rationale_description_figures(std::span<const RationaleCounts> splits);

// {"splits": {NAME: {"examples", "rationale words", "questions", "least choices", "most choices",
//  "rationales with label", "labels": {NAME: n}}}, "notes": [TEXT]}
Json to_json(std::span<const RationaleCounts> splits);

}  // namespace rubric
