// Loops over the rows of a matrix, on all threads.
#pragma once

#include <cstdint>

#include <c10/util/FunctionRef.h>

namespace rubric {

// Calls work(begin, end) for ranges that together are the rows from 0 to `rows`; a range is for one
// thread, and has so many rows of `width` numbers that it is worth one.
void for_rows(int64_t rows, int64_t width,
              c10::function_ref<void(int64_t begin, int64_t end)> work);

}  // namespace rubric
