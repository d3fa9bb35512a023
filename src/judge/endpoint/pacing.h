// How fast requests may follow each other: rate limits, and waiting longer after each failure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace rubric::judge {

using Clock = std::chrono::steady_clock;

// No more than so many of something (requests, tokens) a minute, spread evenly over it.
class RateLimiter {
 public:
  explicit RateLimiter(int64_t per_minute) : per_minute_(per_minute) {}  // 0: no limit

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

// When no request may be sent at all: because the endpoint asks for it, or has stopped answering.
class OutageBackoff {
 public:
  Clock::time_point next() const { return std::max(asked_, outage_); }  // when one may be sent
  int64_t outages() const { return outages_; }  // one after another, with no answer between them

  // The endpoint asks to wait. Says whether that is longer than it was.
  bool ask(Clock::time_point now, std::chrono::milliseconds time);

  // A request that was `sent` then has failed. Where that was behind the last pause a longer one
  // begins; how long it is.
  std::optional<std::chrono::milliseconds> fail(Clock::time_point sent, Clock::time_point now,
                                                uint64_t random);

  void answer();  // a request was answered: no outage

 private:
  Clock::time_point asked_{}, outage_{};
  int64_t outages_ = 0;
};

// In which order and when questions are asked: those that wait for another try once their time has
// come, else the next that was never asked.

class RequestQueue {
 public:
  explicit RequestQueue(size_t count) : count_(count) {}  // of questions: 0, 1, …

  bool empty() const { return fresh_ == count_ && waiting_.empty(); }

  // When the next one may be asked; not of an empty queue.
  Clock::time_point ready() const;

  // The next one at a time when it may be asked, which stays in the queue until it is popped.
  size_t next(Clock::time_point now) const;
  void pop(Clock::time_point now);

  void put_back(size_t question, Clock::time_point from);  // to be asked from then on

 private:
  using Waiting = std::pair<Clock::time_point, size_t>;  // from when, which

  bool is_due(Clock::time_point now) const;

  size_t count_;
  size_t fresh_ = 0;  // the first that was never asked
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
};

}  // namespace rubric::judge
