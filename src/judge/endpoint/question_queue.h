// In which order and when questions are asked: those that wait for another try once their time has
// come, else the next that was never asked.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "judge/endpoint/pacing.h"

namespace rubric {

class QuestionQueue {
 public:
  explicit QuestionQueue(size_t count) : count_(count) {}  // of questions: 0, 1, …

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

}  // namespace rubric
