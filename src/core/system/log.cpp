#include "core/system/log.h"

#include <algorithm>
#include <utility>

#include "core/context.h"

namespace rubric {
namespace {

void log(LogLevel level, const std::string& message) {
  if (Observer* const observer = current_context().observer) observer->log(level, message);
}

}  // namespace

void log_info(const std::string& message) {
  log(LogLevel::info, message);
}

void log_warning(const std::string& message) {
  log(LogLevel::warning, message);
}

void log_error(const std::string& message) {
  log(LogLevel::error, message);
}

void log_metric(const std::string& name, double value, int64_t step) {
  if (Observer* const observer = current_context().observer) {
    observer->metric_value(name, value, step);
  }
}

Progress::Progress(std::string task, int64_t total, int64_t done)
    : task_(std::move(task)),
      total_(std::max<int64_t>(total, 1)),
      already_done_(done),
      observer_(current_context().observer),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  finish();
}

void Progress::tell(int64_t done, const std::string& detail, bool is_paused) const {
  if (observer_ == nullptr) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  observer_->progress({task_, done, total_, already_done_, elapsed.count(), detail, is_paused});
}

void Progress::update(int64_t done, const std::string& detail) {
  done_ = done;
  tell(done, detail, /*is_paused=*/false);
}

void Progress::add(int64_t more) {
  tell(done_ += more, "", /*is_paused=*/false);
}

void Progress::finish() {
  tell(done_, "", /*is_paused=*/true);
}

}  // namespace rubric
