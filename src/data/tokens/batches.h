// Token ids of many rows, one after another without padding.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rubric {

struct TokenBatch {
  std::vector<int64_t> ids, segments;
  std::vector<int64_t> offsets = {0};  // row i is [offsets[i], offsets[i+1])

  int64_t rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t length(int64_t row) const {
    return offsets[static_cast<size_t>(row) + 1] - offsets[static_cast<size_t>(row)];
  }
};

// The named rows of `source`, in that order.
TokenBatch select_rows(const TokenBatch& source, std::span<const int64_t> rows);

}  // namespace rubric
