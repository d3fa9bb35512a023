#include "data/tokens/batches.h"

namespace rubric {

TokenBatch select_rows(const TokenBatch& source, std::span<const int64_t> rows) {
  TokenBatch batch;
  for (const int64_t row : rows) {
    const int64_t begin = source.offsets[static_cast<size_t>(row)];
    const int64_t end = source.offsets[static_cast<size_t>(row) + 1];
    batch.ids.insert(batch.ids.end(), source.ids.begin() + begin, source.ids.begin() + end);
    batch.segments.insert(batch.segments.end(), source.segments.begin() + begin,
                          source.segments.begin() + end);
    batch.offsets.push_back(static_cast<int64_t>(batch.ids.size()));
  }
  return batch;
}

}  // namespace rubric
