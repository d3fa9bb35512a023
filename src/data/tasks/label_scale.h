// The scale of people's labels of answers, such as 1 to 5, on which the scores of a model that
// learns them come out, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace rubric::data {

struct LabelScale {
  double low = 1, high = 5;  // MOCHA's

  bool contains(double label) const { return label >= low && label <= high; }
  bool operator==(const LabelScale&) const = default;
};

// The scale that labels between `least` and `greatest` are on: the first of 0 to 1, 1 to 5 (if the
// greatest is over 4) and 0 to 100 (if it is over 50) that holds both, else from the least to the
// greatest. Labels 1, 2 and 3 are on 1 to 3: on 1 to 5 a model would score most answers above all
// labels.
LabelScale scale_of_labels(double least, double greatest);

// Whether labels of these two ranges are on two different ones of the three usual scales, 0 to 1,
// 1 to 5 and 0 to 100.
bool are_on_two_scales(const LabelScale& first, const LabelScale& second);

// Labels that are most likely no judgements, and by which means, intervals and a scale that is
// taken from the labels would be wrong:
//
// - codes of missing values (-1, -9, -99, 99, 999 and the like), however many, outside the range of
//   all other labels. A code below it needs others from 0 on (for -1 not labels of 0 to 3 alone,
//   which with it are a scale, as REV's), or lies further from them than they do from each other. A
//   code above it lies more than three times as far from them, 9 three quarters as far from 20
//   whole labels.
// - slips, such as a 9 among labels from 1 to 5: outside one of the three usual scales that all
//   others are on, at most one label in a hundred (or one of 20 or more); else the least or the
//   greatest label, where it is more than three times as far from the nearest one as the others lie
//   apart.
struct StrayLabels {
  std::vector<size_t> places;  // of codes in order, of slips the furthest first
  LabelScale others;           // that all others are on
  bool are_codes = false;
};
std::vector<StrayLabels> stray_labels(std::span<const double> labels);

// "the label of q7 is 9 (rows.csv:8), all others are from 1 to 5: if it is a slip, correct it".
// `name` and `place` give those of a label.
using LabelText = std::function<std::string(size_t label)>;
std::string stray_text(const StrayLabels& strays, std::span<const double> labels,
                       const LabelText& name, const LabelText& place);

// Warns of stray labels before a number is computed, and returns the warnings for the notes of a
// result. `option`: what takes a scale that refuses such labels, as "--scale "; "": nothing does.
std::vector<std::string> warn_of_stray_labels(std::span<const double> labels, const LabelText& name,
                                              const LabelText& place,
                                              const std::string& option = "");

int64_t count_outside(const LabelScale& scale, std::span<const double> scores);

// "0:1", in a configuration and in a model's rubric.yaml. Throws InputError, naming `where`, unless
// it is LOW:HIGH, two finite numbers of which the first is below the second.
LabelScale parse_label_scale(const std::string& text, const std::string& where);
std::string scale_text(const LabelScale& scale);
std::string range_text(const LabelScale& range);  // "0 to 1", for messages

}  // namespace rubric::data
