// Calls of the library from Python: without the GIL, stopped by Ctrl-C, errors as exceptions.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "rubric/context.h"

namespace rubric::python {

// Keeps what is to be told; warnings become Python's after the call.
class Messages final : public Observer {
 public:
  void log(LogLevel level, const std::string& message) override;
  nanobind::list warnings() const;

 private:
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

// Calls work(context) on a thread of its own, so that the thread that called can answer Ctrl-C,
// and waits without the GIL. The floating-point environment there is the default one, whatever that
// of the caller: scores are those of the commands. An exception of a signal handler (of Ctrl-C:
// KeyboardInterrupt) cancels the context's token and is raised once `work` has ended.
void call(Observer& observer, size_t threads, const std::function<void(const Context&)>& work);

// Makes rubric.InputError, rubric.Error and the like of the library's exceptions.
void translate_errors();

}  // namespace rubric::python
