// The scale of people's labels of answers, such as 1 to 5, on which the scores of a model that
// learns them come out, too.
#pragma once

#include <string>

namespace rubric::data {

struct LabelScale {
  double low = 1, high = 5;  // MOCHA's

  bool contains(double label) const { return label >= low && label <= high; }
  bool operator==(const LabelScale&) const = default;
};

// The scale that labels between `least` and `greatest` are on: the first of 0 to 1, 1 to 5 and (if
// the greatest is over 50) 0 to 100 that holds both, else from the least to the greatest.
LabelScale scale_of_labels(double least, double greatest);

// "0:1", in a configuration and in a model's rubric.yaml. Throws InputError, naming `where`, unless
// it is LOW:HIGH, two finite numbers of which the first is below the second.
LabelScale parse_label_scale(const std::string& text, const std::string& where);
std::string scale_text(const LabelScale& scale);

}  // namespace rubric::data
