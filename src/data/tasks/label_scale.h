// The scale of people's labels of answers, such as 1 to 5, on which the scores of a model that
// learns them come out, too.
#pragma once

#include <cstdint>
#include <span>
#include <string>

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

int64_t count_outside(const LabelScale& scale, std::span<const double> scores);

// "0:1", in a configuration and in a model's rubric.yaml. Throws InputError, naming `where`, unless
// it is LOW:HIGH, two finite numbers of which the first is below the second.
LabelScale parse_label_scale(const std::string& text, const std::string& where);
std::string scale_text(const LabelScale& scale);
std::string range_text(const LabelScale& range);  // "0 to 1", for messages

}  // namespace rubric::data
