#include "call.h"

#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>

#include <nanobind/stl/filesystem.h>

#include "core/files/shipped_files.h"
#include "rubric/errors.h"

namespace rubric::python {
namespace {

namespace nb = nanobind;

// Signals are for the threads of Python.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

void raise(const char* name, const char* message) {
  const nb::object type = nb::module_::import_("rubric._errors").attr(name);
  PyErr_SetString(type.ptr(), message);
}

// The package lies beside the extension as an installed program: bin/, share/rubric/.
Resources package_resources() {
  const auto file =
      nb::cast<std::filesystem::path>(nb::module_::import_("rubric._light").attr("__file__"));
  return resources_beside(file.parent_path() / "bin");
}

}  // namespace

void Messages::log(LogLevel level, const std::string& message) {
  if (level == LogLevel::info) return;
  const std::lock_guard lock(mutex_);
  warnings_.push_back(message);
}

nb::list Messages::warnings() const {
  nb::list list;
  for (const std::string& warning : warnings_) list.append(nb::str(warning.c_str()));
  return list;
}

void call(Observer& observer, size_t threads, const std::function<void(const Context&)>& work) {
  constexpr std::chrono::milliseconds kBetweenChecks(20);
  CancellationSource source;
  const Context context{&observer, source.token(), package_resources(), threads};
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;
  std::exception_ptr error;
  std::thread worker([&] {
    block_signals();
    std::fesetenv(FE_DFL_ENV);
    try {
      work(context);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    has_ended = true;
    ended.notify_one();
  });
  const auto wait = [&] {
    const nb::gil_scoped_release release;
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, kBetweenChecks, [&] { return has_ended; });
  };
  bool is_interrupted = false;
  while (!wait()) {
    if (!is_interrupted && PyErr_CheckSignals() != 0) {
      is_interrupted = true;
      source.cancel();
      break;
    }
  }
  {
    // Keeps the pending exception: no Python runs meanwhile on this thread.
    const nb::gil_scoped_release release;
    worker.join();
  }
  if (is_interrupted) throw nb::python_error();
  if (error) std::rethrow_exception(error);
}

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise("InputError", error.what());
    } catch (const Error& error) {
      raise("Error", error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      raise("Error", error.what());
    }
  });
}

}  // namespace rubric::python
