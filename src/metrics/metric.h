// The interface of every metric: records in, named scores out.
#pragma once

#include <span>
#include <string>

#include "data/records.h"

namespace rubric::metrics {

// Scores do not depend on how records are batched (to 1e-5). Not thread-safe: a metric may cache
// data between records.
template <class Record>
class Metric {
 public:
  virtual ~Metric() = default;
  virtual data::Scores score(std::span<const Record> records) = 0;
  // Everything that the scores depend on, in sacreBLEU's form: "lerc|model:3f9a…|rubric:0.1.0".
  virtual std::string signature() const = 0;
};

}  // namespace rubric::metrics
