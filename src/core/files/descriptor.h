// An open file of the system, closed with its owner.
#pragma once

#include <unistd.h>

namespace rubric {

struct Descriptor {
  int value = -1;  // -1: none

  Descriptor() = default;
  ~Descriptor() {
    if (value >= 0) close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

}  // namespace rubric
