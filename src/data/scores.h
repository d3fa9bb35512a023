// What metrics give: named figures for each record.
#pragma once

#include <string>
#include <vector>

namespace rubric {

struct Scores {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  // rows[record][name]
};

}  // namespace rubric
