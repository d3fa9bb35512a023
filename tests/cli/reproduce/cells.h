// The cells of a table in the JSON that `reproduce` prints.
#pragma once

#include <map>
#include <string>

#include "measured.h"

namespace rubric {

struct MeasuredCell {
  std::string verdict, why;  // the verdict may be "not run"
  std::optional<double> mean;
};

// By "row/column".
inline std::map<std::string, MeasuredCell> cells_of(const Json& result) {
  std::map<std::string, MeasuredCell> cells;
  for (const Json& one : result.find("measurements")->array()) {
    MeasuredCell& cell = cells[one.find("metric")->string() + "/" + one.find("group")->string()];
    const std::string& statistic = one.find("statistic")->string();
    const Json& value = *one.find("value");
    if (const Json* const why = one.find("why_missing")) {
      cell.why = why->string();
      cell.verdict = cell.why.substr(0, cell.why.find(':'));
    } else if (statistic == "mean" && one.find("seed") == nullptr) {
      cell.mean = value.number();
    } else if (statistic == "verdict") {
      cell.verdict = value.number() == 0 ? "reproduced" : value.number() > 0 ? "above" : "below";
    }
  }
  return cells;
}

}  // namespace rubric
