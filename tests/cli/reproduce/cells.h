// The cells of a table in the JSON that `reproduce` prints.
#pragma once

#include <map>
#include <string>

#include "measured.h"

namespace rubric {

struct MeasuredCell {
  std::string verdict, why;
  std::optional<double> mean;
};

// By "row/column".
inline std::map<std::string, MeasuredCell> cells_of(const Json& result) {
  std::map<std::string, MeasuredCell> cells;
  for (const Json& record : result.find("records")->find("cells")->array()) {
    const Keys keys{.metric = record.find("row")->string(),
                    .group = record.find("column")->string()};
    const Json& mean = measured(result, "mean", keys);
    const Json* const why = mean.find("why_missing");
    MeasuredCell& cell = cells[keys.metric + "/" + keys.group];
    cell = {record.find("verdict")->string(), why == nullptr ? "" : why->string(), {}};
    if (mean.find("value")->is_number()) cell.mean = mean.find("value")->number();
  }
  return cells;
}

}  // namespace rubric
