// What every metric is: records in, named scores out.
#pragma once

#include <span>
#include <string>

#include "data/records.h"

namespace rubric::metrics {

// Scores never depend on how records are batched (to 1e-5). A metric may keep what it can use for
// the next record: one thread at a time.
template <class Record>
class Metric {
 public:
  virtual ~Metric() = default;
  virtual data::Scores score(std::span<const Record> records) = 0;
  // Everything the figures depend on, as sacreBLEU writes it: "lerc|model:3f9a…|rubric:0.1.0".
  virtual std::string signature() const = 0;
};

}  // namespace rubric::metrics
