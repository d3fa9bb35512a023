// Whether what is tested has sanitizers, which make it ten times as slow: tests of much real data
// then take a part of it. The tests themselves are built without.
#pragma once

extern "C" void __asan_init() __attribute__((weak));

namespace rubric {

inline bool is_sanitized() {
  return __asan_init != nullptr;
}

}  // namespace rubric
