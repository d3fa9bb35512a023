// Messages and progress, told to the observer of the current context (core/context.h).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace rubric {

class Observer;

void log_info(const std::string& message);
void log_warning(const std::string& message);
void log_error(const std::string& message);

// A value of a metric at an update of a training run (Observer::metric_value).
void log_metric(const std::string& name, double value, int64_t step);

// The progress of a long task.
class Progress {
 public:
  // `done` of `total` were done before this process started.
  Progress(std::string task, int64_t total, int64_t done = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(int64_t done, const std::string& detail = "");
  void add(int64_t more);  // to what is done; safe to call from several threads
  void finish();           // so that other lines can follow

 private:
  void tell(int64_t done, const std::string& detail, bool is_paused) const;

  std::string task_;
  int64_t total_, already_done_;
  std::atomic<int64_t> done_ = already_done_;
  Observer* observer_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace rubric
