// Writes log messages and progress bars to stderr; stdout is for results. The interface has plain
// strings only: files that include libtorch cannot include spdlog, whose fmt clashes with
// libtorch's.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace rubric {

void set_quiet(bool quiet);     // only warnings and errors from now on
bool is_quiet();                // safe in a signal handler
void set_warnings(bool shown);  // false where another process prints the same ones
void log_info(const std::string& message);
void log_warning(const std::string& message);
void log_error(const std::string& message);

// Whether stderr is a terminal, so that a progress bar can be drawn.
bool stderr_is_terminal();

// The progress of a long task on stderr: a bar on a terminal, else a line now and then.
class Progress {
 public:
  // `done` of `total` were done before this process started.
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
