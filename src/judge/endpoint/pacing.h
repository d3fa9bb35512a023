// The timing of requests: rate limits, exponential backoff after failures, and the queue of
// requests.
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

// Limits the rate of something (requests, tokens) per minute, spread evenly over the minute.
class RateLimiter {
 public:
  explicit RateLimiter(int64_t per_minute) : per_minute_(per_minute) {}  // 0: no limit

  Clock::time_point next() const { return next_; }  // when more may be spent

  // A negative amount returns what was overspent.
  void spend(double amount, Clock::time_point now);

 private:
  int64_t per_minute_;
  Clock::time_point next_{};
};

// The delay after the `failures`th failure of a request: half a second, doubled each time up to a
// minute, minus a random part of up to a half (from the bits `random`), so that requests that
// failed together are not retried together.
std::chrono::milliseconds backoff(int64_t failures, uint64_t random);

// Pauses all requests when the endpoint asks for it or has stopped answering.
class OutageBackoff {
 public:
  // When a request may be sent.
  Clock::time_point next() const { return std::max(asked_, outage_); }
  // Consecutive outages without an answer between them.
  int64_t outages() const { return outages_; }

  // The endpoint asks to wait. Returns whether this extends the pause.
  bool ask(Clock::time_point now, std::chrono::milliseconds time);

  // A request sent at `sent` has failed. If it was sent after the last pause, a longer pause begins
  // and its length is returned.
  std::optional<std::chrono::milliseconds> fail(Clock::time_point sent, Clock::time_point now,
                                                uint64_t random);

  void answer();  // a request was answered: ends the outage

 private:
  Clock::time_point asked_{}, outage_{};
  int64_t outages_ = 0;
};

// The order and times of questions: retries whose time has come are first, then questions that were
// never asked.
class RequestQueue {
 public:
  explicit RequestQueue(size_t count) : count_(count) {}  // of questions: 0, 1, …

  bool empty() const { return fresh_ == count_ && waiting_.empty(); }

  // When the next question may be asked. The queue must not be empty.
  Clock::time_point ready() const;

  // The next question at a time when it may be asked; it stays in the queue until pop().
  size_t next(Clock::time_point now) const;
  void pop(Clock::time_point now);

  void put_back(size_t question, Clock::time_point from);  // to be asked at `from` or later

 private:
  using Waiting = std::pair<Clock::time_point, size_t>;  // earliest time, question

  bool is_due(Clock::time_point now) const;

  size_t count_;
  size_t fresh_ = 0;  // the first question that was never asked
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
};

}  // namespace rubric::judge
