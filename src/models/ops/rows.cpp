#include "models/ops/rows.h"

#include <algorithm>

#include <ATen/Parallel.h>

namespace rubric {

void for_rows(int64_t rows, int64_t width,
              c10::function_ref<void(int64_t begin, int64_t end)> work) {
  constexpr int64_t kNumbersPerThread = 1 << 14;
  const int64_t least_rows = std::max<int64_t>(1, kNumbersPerThread / std::max<int64_t>(1, width));
  at::parallel_for(0, rows, least_rows, work);
}

}  // namespace rubric
