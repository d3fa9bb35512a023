// Error analysis (MOCHA's Tables 7 and 9): the rows on which a metric and the human label, or two
// metrics, are furthest apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/scored_files/scored_rows.h"

namespace rubric {

// The ends of what a metric, or the label, can be; mapped to 0 and 1 by a straight line, so that
// values on different scales can be compared. Values beyond the ends go beyond 0 and 1.
struct Scale {
  std::string name;
  double low = 0, high = 1;
};

struct Gap {
  std::string group;
  size_t row = 0;
  double first = 0, second = 0;  // as they are in the file
  double gap = 0;                // the first less the second, both on [0, 1]
};

// The `most` rows of each group (rows without groups are one) with the largest |gap|, groups as
// they appear, equal gaps in file order.
std::vector<Gap> largest_gaps(const ScoredRows& rows, const std::vector<double>& first,
                              const Scale& first_scale, const std::vector<double>& second,
                              const Scale& second_scale, int64_t most);

}  // namespace rubric
