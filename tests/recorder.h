// An observer that keeps what it is told.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rubric/context.h"

namespace rubric {

class Recorder : public Observer {
 public:
  void log(LogLevel level, const std::string& message) override {
    const std::lock_guard lock(mutex_);
    messages.emplace_back(level, message);
  }
  void progress(const ProgressUpdate& update) override {
    const std::lock_guard lock(mutex_);
    updates.push_back(update);
  }
  void metric_value(const std::string& name, double value, int64_t) override {
    const std::lock_guard lock(mutex_);
    values.emplace_back(name, value);
  }

  std::vector<std::pair<LogLevel, std::string>> messages;
  std::vector<ProgressUpdate> updates;
  std::vector<std::pair<std::string, double>> values;

 private:
  std::mutex mutex_;
};

}  // namespace rubric
