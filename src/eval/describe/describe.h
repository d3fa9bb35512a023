// `describe`: the statistics of MOCHA's, R4C's and rationale data sets as tables and JSON.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/answers/mocha_statistics.h"
#include "data/records.h"
#include "eval/report/table.h"

namespace rubric::eval {

// Splits.

// The names of the files without directory and extension. Throws InputError when two are equal.
std::vector<std::string> split_names(const std::vector<std::string>& files);

struct SplitFiles {
  std::string name;
  std::vector<std::string> files;
};

// Each argument is FILE, a split with the file's name, or NAME=FILE; files with one NAME are one
// split. Throws InputError when two files without NAME have one name.
std::vector<SplitFiles> split_files(const std::vector<std::string>& arguments);

// MOCHA (Chen et al. 2020, Table 2).

struct SplitStatistics {
  std::string name;
  std::vector<data::ConstituentStatistics> constituents;
};

// As in MOCHA's Table 2: mean lengths in the first split and each split's counts; then, for every
// split with scores, the number of candidates with each score, by constituent (a source data set of
// MOCHA) and by source.
std::vector<Table> mocha_description_tables(std::span<const SplitStatistics> splits);

// A value a row: split, constituent, source ("": all), figure, value.
Table mocha_description_value_table(std::span<const SplitStatistics> splits);

// {"splits": {NAME: {"constituents": {NAME: {"passages", "questions", "candidates", "unscored",
//  "lengths": {"passage", "question", "reference", "candidate"}, "scores": {"1": n, …, "5": n},
//  "sources": {NAME: {"candidates", "scores"}}}}, "total": {"passages", "questions",
//  "candidates"}}}, "notes": [TEXT]}
Json to_json(std::span<const SplitStatistics> splits);

// R4C (Inoue et al. 2020, Table 1).

struct DerivationCounts {
  std::string split;
  int64_t questions = 0;
  int64_t derivations = 0, one_step = 0, two_steps = 0, three_steps = 0, more_steps = 0;
};

DerivationCounts count_derivations(const std::string& split,
                                   std::span<const data::DerivationQuestion> questions);

// A row for each split and, if there are several, their total. A column for derivations of one
// step, which R4C's own files do not have, appears only if there are some.
Table r4c_description_table(std::span<const DerivationCounts> splits);

// A value a row: split, figure, value.
Table r4c_description_value_table(std::span<const DerivationCounts> splits);

// {"splits": {NAME: {"questions", "derivations", "steps": {"1", "2", "3", ">=4"}}}, "total": …}
Json to_json(std::span<const DerivationCounts> splits);

// Rationales (REV, Chen et al. 2022, Table 3).

struct RationaleCounts {
  std::string split;
  int64_t examples = 0;
  std::vector<std::string> unusable;  // why examples were left out, a line each
  // For CoS-E without its questions these four are 0.
  int64_t questions = 0;  // distinct ones, or pairs of premise and hypothesis
  int64_t least_choices = 0, most_choices = 0;
  int64_t with_label = 0;      // rationales that contain the label's words as a phrase
  double rationale_words = 0;  // the mean, in words of BERT's basic tokenizer (cased)
  // The number of examples with each label; for questions "choice 1", "choice 2", … by position.
  std::map<std::string, int64_t> labels;
};

RationaleCounts count_rationales(const std::string& split,
                                 std::span<const data::Rationale> records);

// The counts of a sample of the records (data::draw_rationales), called `split`, and of the others,
// called `rest`; without these if `rest` is "".
std::vector<RationaleCounts> count_sample(const std::string& split, const std::string& rest,
                                          const std::vector<data::Rationale>& records, double share,
                                          uint64_t seed);

// Table 3 with more columns, a row a split; then the distribution of labels, if there are labels.
std::vector<Table> rationale_description_tables(std::span<const RationaleCounts> splits);

// A value a row: split, figure, value.
Table rationale_description_value_table(std::span<const RationaleCounts> splits);

// {"splits": {NAME: {"examples", "rationale words", "questions", "least choices", "most choices",
//  "rationales with label", "labels": {NAME: n}}}, "notes": [TEXT]}
Json to_json(std::span<const RationaleCounts> splits);

}  // namespace rubric::eval
