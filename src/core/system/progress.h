// How far a long task is: a bar on a terminal, else a line now and then. Writes to stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace rubric {

class Progress {
 public:
  // `done` of `total` were done by an earlier start.
  Progress(std::string label, int64_t total, int64_t done = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(int64_t done, const std::string& detail = "");
  void finish();  // clears the bar, so that other lines can follow

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  int64_t total_, first_;
  bool bar_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace rubric
