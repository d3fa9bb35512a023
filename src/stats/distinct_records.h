// Records with equal values, which a resample need not tell apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

// Scores of answers have few distinct values: what is computed of many resamples is computed of the
// distinct records, each drawn as often as all that are equal to it. Safe to call from several
// threads.
class DistinctRecords {
 public:
  // Those that are equal in all of the series, in ascending order of their values. Throws Error for
  // series of different lengths; without series there are none.
  explicit DistinctRecords(std::span<const std::span<const double>> series);

  size_t size() const { return begin_.size() - 1; }
  // Of a series of all records that has one value for equal ones.
  std::vector<double> values_of(std::span<const double> series) const;
  // How many records each distinct one is.
  std::vector<uint32_t> times() const;
  std::vector<uint32_t> drawn(Counts counts) const;

 private:
  std::vector<uint32_t> order_;  // records, equal ones side by side
  std::vector<size_t> begin_;    // where each distinct one begins in it, and the end
};

}  // namespace rubric::stats
