// How fast requests may follow each other: rate limits, and waiting longer after each failure.
#pragma once

#include <chrono>
#include <cstdint>

namespace rubric {

using Clock = std::chrono::steady_clock;

// No more than so many of something (requests, tokens) a minute, spread evenly over it.
class Pace {
 public:
  explicit Pace(int64_t per_minute) : per_minute_(per_minute) {}  // 0: no limit

  Clock::time_point next() const { return next_; }  // when more may be spent

  // Less than 0 gives back what was spent too much.
  void spend(double amount, Clock::time_point now);

 private:
  int64_t per_minute_;
  Clock::time_point next_{};
};

// How long to wait after a request has failed for the `failures`th time: half a second, doubled
// each time up to a minute, of which `random` (any bits) takes off up to a half, so that requests
// that failed together do not come again together.
std::chrono::milliseconds backoff(int64_t failures, uint64_t random);

}  // namespace rubric
