// Counts at numbered levels with fast sums from below (Fenwick 1994).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rubric::stats {

class Fenwick {
 public:
  explicit Fenwick(size_t levels) : sums_(levels + 1) {}

  void add(size_t level, int64_t count) {
    for (size_t i = level + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += count;
  }
  int64_t below(size_t level) const {
    int64_t sum = 0;
    for (size_t i = level; i > 0; i &= i - 1) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<int64_t> sums_;
};

}  // namespace rubric::stats
