#include "judge/endpoint/question_queue.h"

namespace rubric {

Clock::time_point QuestionQueue::ready() const {
  return fresh_ < count_ ? Clock::time_point() : waiting_.top().first;
}

size_t QuestionQueue::next(Clock::time_point now) const {
  return is_due(now) ? waiting_.top().second : fresh_;
}

void QuestionQueue::pop(Clock::time_point now) {
  if (is_due(now)) {
    waiting_.pop();
  } else {
    ++fresh_;
  }
}

void QuestionQueue::put_back(size_t question, Clock::time_point from) {
  waiting_.emplace(from, question);
}

bool QuestionQueue::is_due(Clock::time_point now) const {
  return !waiting_.empty() && waiting_.top().first <= now;
}

}  // namespace rubric
