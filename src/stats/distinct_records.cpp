#include "stats/distinct_records.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace rubric::stats {

DistinctRecords::DistinctRecords(std::span<const std::span<const double>> series) {
  order_.resize(series.empty() ? 0 : series.front().size());
  for (const auto& values : series) {
    if (values.size() != order_.size()) throw Error("series of records need the same length");
  }
  std::iota(order_.begin(), order_.end(), 0U);
  const auto is_less = [&](uint32_t a, uint32_t b) {
    for (const auto& values : series) {
      if (values[a] != values[b]) return values[a] < values[b];
    }
    return false;
  };
  std::ranges::stable_sort(order_, is_less);
  for (size_t k = 0; k < order_.size(); ++k) {
    if (k == 0 || is_less(order_[k - 1], order_[k])) begin_.push_back(k);
  }
  begin_.push_back(order_.size());
}

std::vector<double> DistinctRecords::values_of(std::span<const double> series) const {
  std::vector<double> values;
  for (size_t i = 0; i < size(); ++i) values.push_back(series[order_[begin_[i]]]);
  return values;
}

std::vector<uint32_t> DistinctRecords::times() const {
  std::vector<uint32_t> times;
  for (size_t i = 0; i < size(); ++i) {
    times.push_back(static_cast<uint32_t>(begin_[i + 1] - begin_[i]));
  }
  return times;
}

std::vector<uint32_t> DistinctRecords::drawn(Counts counts) const {
  std::vector<uint32_t> drawn(size());
  for (size_t i = 0; i < size(); ++i) {
    uint32_t sum = 0;
    for (size_t k = begin_[i]; k < begin_[i + 1]; ++k) sum += counts[order_[k]];
    drawn[i] = sum;
  }
  return drawn;
}

}  // namespace rubric::stats
