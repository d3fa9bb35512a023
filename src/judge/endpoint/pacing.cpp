#include "judge/endpoint/pacing.h"

#include <algorithm>
#include <cmath>

namespace rubric::judge {

void RateLimiter::spend(double amount, Clock::time_point now) {
  if (per_minute_ == 0) return;
  // A late caller may catch up on this much missed time.
  constexpr std::chrono::milliseconds kCatchUp{100};
  constexpr double kMostSeconds = 3'600;  // even if an endpoint reports more usage
  const double seconds_worth = amount * 60 / static_cast<double>(per_minute_);
  const std::chrono::duration<double> time(std::clamp(seconds_worth, -kMostSeconds, kMostSeconds));
  next_ = std::max(next_, now - kCatchUp) + std::chrono::duration_cast<Clock::duration>(time);
}

std::chrono::milliseconds backoff(int64_t failures, uint64_t random) {
  constexpr double kFirst = 500, kMost = 60'000;  // milliseconds
  const double whole = std::min(kFirst * std::exp2(static_cast<double>(failures - 1)), kMost);
  const double share = 0.5 + 0.5 * static_cast<double>(random >> 11) * 0x1p-53;
  return std::chrono::milliseconds(static_cast<int64_t>(whole * share));
}

bool OutageBackoff::ask(Clock::time_point now, std::chrono::milliseconds time) {
  if (now + time <= asked_) return false;
  asked_ = now + time;
  return true;
}

std::optional<std::chrono::milliseconds> OutageBackoff::fail(Clock::time_point sent,
                                                             Clock::time_point now,
                                                             uint64_t random) {
  if (sent < outage_) return std::nullopt;
  const std::chrono::milliseconds time = backoff(++outages_, random);
  outage_ = now + time;
  return time;
}

void OutageBackoff::answer() {
  outage_ = {};
  outages_ = 0;
}

Clock::time_point RequestQueue::ready() const {
  return fresh_ < count_ ? Clock::time_point() : waiting_.top().first;
}

size_t RequestQueue::next(Clock::time_point now) const {
  return is_due(now) ? waiting_.top().second : fresh_;
}

void RequestQueue::pop(Clock::time_point now) {
  if (is_due(now)) {
    waiting_.pop();
  } else {
    ++fresh_;
  }
}

void RequestQueue::put_back(size_t question, Clock::time_point from) {
  waiting_.emplace(from, question);
}

bool RequestQueue::is_due(Clock::time_point now) const {
  return !waiting_.empty() && waiting_.top().first <= now;
}

}  // namespace rubric::judge
