// Work of many equal steps shared among threads.
#pragma once

#include <cstdint>
#include <functional>

namespace rubric {

// The cores that this process may run on: fewer than the machine has under taskset, Slurm or in a
// cpuset.
size_t usable_cores();

// Calls work(first, end) for pieces that cover 0 … count-1, one on each usable core, and waits for
// all; on this thread alone where `operations`, roughly how many the whole takes, is too small to
// share. What `work` throws first is thrown here, when all have ended.
void parallel_for(size_t count, size_t operations,
                  const std::function<void(size_t first, size_t end)>& work);

// Which part of some work one of several processes does.

// Every count-th piece, from number `index` on; all of them by default.
struct WorkShare {
  int64_t index = 0, count = 1;

  bool has(int64_t piece) const { return piece % count == index; }
};

}  // namespace rubric
