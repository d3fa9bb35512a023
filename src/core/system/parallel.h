// Divides work among threads (parallel_for) and among processes (WorkShare).
#pragma once

#include <cstdint>
#include <functional>

namespace rubric {

// The number of cores that this process may run on; taskset, Slurm or a cpuset can make it smaller
// than the machine's.
size_t usable_cores();

// Splits 0 … count-1 into one range for each usable core, or for each of the context's threads,
// calls work(first, end) for each on its own thread, and waits for all. Uses only this thread when
// `operations`, the rough total number of operations, is too small to be worth sharing. After all
// threads have ended, rethrows the exception of the lowest range that threw.
void parallel_for(size_t count, size_t operations,
                  const std::function<void(size_t first, size_t end)>& work);

// The share of one of several processes: every count-th item from number `index` on. The default is
// all items.
struct WorkShare {
  int64_t index = 0, count = 1;

  bool has(int64_t item) const { return item % count == index; }
};

}  // namespace rubric
