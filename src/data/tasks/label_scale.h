// The scale of people's labels of answers, such as 1 to 5, on which the scores of a model that
// learns them come out, too.
#pragma once

#include <cstdint>
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

// Labels that may be slips, such as a 9 among labels from 1 to 5, by which a scale that is taken
// from the labels would be too wide: outside one of the three usual scales that all others are on,
// at most one label in a hundred (or one of 20 or more); else the least or the greatest label,
// where it is more than three times as far from the nearest one as the others lie apart.
struct StrayLabels {
  std::vector<size_t> places;  // the furthest first
  LabelScale others;           // that all others are on
};
std::vector<StrayLabels> stray_labels(std::span<const double> labels);

// "the label of q7 is 9 (rows.csv:8), all others are from 1 to 5: if it is a slip, correct it".
// `name` and `place` are those of the first of the strays.
std::string stray_note(const StrayLabels& strays, std::span<const double> labels,
                       const std::string& name, const std::string& place);

int64_t count_outside(const LabelScale& scale, std::span<const double> scores);

// "0:1", in a configuration and in a model's rubric.yaml. Throws InputError, naming `where`, unless
// it is LOW:HIGH, two finite numbers of which the first is below the second.
LabelScale parse_label_scale(const std::string& text, const std::string& where);
std::string scale_text(const LabelScale& scale);
std::string range_text(const LabelScale& range);  // "0 to 1", for messages

}  // namespace rubric::data
