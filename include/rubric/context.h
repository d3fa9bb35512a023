// What a call may use of the program around it: where messages go, what stops it, where files are.
// The library itself writes to no stream, catches no signal and looks for nothing beside the
// program. It reads environment variables (docs/versioning.md), and keeps METEOR's index and the
// settings of GGUF files in $XDG_CACHE_HOME.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "rubric/errors.h"
#include "rubric/export.h"

namespace rubric {

enum class LogLevel { info, warning, error };

struct ProgressUpdate {
  std::string task;  // "scoring"
  int64_t done = 0, total = 1;
  int64_t already_done = 0;  // of `done`, before this call
  double seconds = 0;        // since the task began here
  std::string detail;        // "" or more to show, such as a loss
  bool is_paused = false;    // other messages follow; also true of a task's last update
};

// Is told what happens. Its functions do nothing unless they are overridden. They are called on the
// working threads, possibly several at once, and must not throw.
class RUBRIC_PUBLIC Observer {
 public:
  virtual ~Observer() = default;
  virtual void log(LogLevel, const std::string& /*message*/) {}
  virtual void progress(const ProgressUpdate&) {}
  // In training: "loss" after an update, and each value of a validation by its name.
  virtual void metric_value(const std::string& /*name*/, double /*value*/, int64_t /*step*/) {}
};

// Says whether its source was cancelled. A default token has no source and is never cancelled.
class RUBRIC_PUBLIC CancellationToken {
 public:
  CancellationToken() = default;
  bool is_cancelled() const { return flag_ != nullptr && flag_->load(); }

 private:
  friend class CancellationSource;
  std::shared_ptr<const std::atomic<bool>> flag_;
};

// Cancels its tokens, from any thread and from a signal handler.
class RUBRIC_PUBLIC CancellationSource {
 public:
  CancellationSource() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  // Copies cancel the same tokens; there is no move, which would leave a source without a flag.
  CancellationSource(const CancellationSource&) = default;
  CancellationSource& operator=(const CancellationSource&) = default;
  ~CancellationSource() = default;
  void cancel() noexcept { flag_->store(true); }
  CancellationToken token() const {
    CancellationToken token;
    token.flag_ = flag_;
    return token;
  }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);
  std::shared_ptr<std::atomic<bool>> flag_;
};

// Directories; what needs one that is empty throws InputError naming it.
struct Resources {
  std::filesystem::path shipped;   // holds configs/, experiments/, models/, scripts/
  std::filesystem::path fetched;   // holds what scripts/setup fetches, such as meteor/
  std::filesystem::path programs;  // holds rubric and librubric_cuda.so
};

struct Context {
  Observer* observer = nullptr;  // not owned; null: nobody is told
  CancellationToken cancellation = {};
  Resources resources = {};
  size_t threads = 0;  // at most so many for work without libtorch; 0: one for each core
};

}  // namespace rubric
