// Which part of some work one of several processes does.
#pragma once

#include <cstdint>

namespace rubric {

// Every count-th piece, from number `index` on; all of them by default.
struct WorkShare {
  int64_t index = 0, count = 1;

  bool has(int64_t piece) const { return piece % count == index; }
};

}  // namespace rubric
