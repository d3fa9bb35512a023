// `describe`: the statistics of MOCHA's, R4C's and rationale data sets.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/answers/mocha_statistics.h"
#include "data/records.h"
#include "rubric/result.h"

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

// Of several splits (the key subset): adds the sum over them of each of these statistics, which
// count what no two splits have in common, without a subset. docs/results_format.md has the
// measurements of the three descriptions.
void add_totals(std::initializer_list<std::string_view> statistics, Result& result);

// MOCHA (Chen et al. 2020, Table 2).

struct SplitStatistics {
  std::string name;
  std::vector<data::ConstituentStatistics> constituents;
};

// Tables: mean lengths in the first split and each split's counts, as in MOCHA's Table 2; then, for
// every split with scores, these by constituent and by source.
Result mocha_description(std::span<const SplitStatistics> splits);

// R4C (Inoue et al. 2020, Table 1).

struct DerivationCounts {
  std::string split;
  int64_t questions = 0;
  int64_t derivations = 0, one_step = 0, two_steps = 0, three_steps = 0, more_steps = 0;
};

DerivationCounts count_derivations(const std::string& split,
                                   std::span<const data::DerivationQuestion> questions);

// R4C's own files have no derivation of one step: the table's column for these appears only if
// there are some.
Result r4c_description(std::span<const DerivationCounts> splits);

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

// Tables: Table 3 with more columns, a row a split; the distribution of labels.
Result rationale_description(std::span<const RationaleCounts> splits);

}  // namespace rubric::eval
