#include "core/system/signals.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>

#include <unistd.h>

#include "core/error.h"
#include "core/system/terminal.h"

namespace rubric {
namespace {

constexpr int64_t kSecond = 1'000'000'000;  // in nanoseconds

// Time of the request on the monotonic clock; 0: no request.
std::atomic<int64_t> requested_at = 0;
static_assert(std::atomic<int64_t>::is_always_lock_free);  // a signal handler must not block

// Made before a handler is set, and never destroyed: a signal may come late.
CancellationSource& source() {
  static auto* const made = new CancellationSource();
  return *made;
}

int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

// The functions below call only what POSIX allows in a signal handler.
void write_message(std::string_view what) {
  if (is_quiet()) return;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, what.data(), what.size());
}

void exit_stopped(int) {
  write_message("\nstopped on request before anything was done\n");
  _exit(kInterrupted);
}

void request_stop(int signal) {
  const int before = errno;
  int64_t first = 0;
  if (requested_at.compare_exchange_strong(first, now())) {
    source().cancel();
    write_message("\nstopping after the current step; press Ctrl-C again to stop at once\n");
  } else if (signal == SIGINT && now() - first >= kSecond) {
    std::signal(signal, SIG_DFL);
    raise(signal);  // ends the program when this handler returns
  }
  errno = before;
}

void handle_stop_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // restarts interrupted reads and writes
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

void exit_on_stop_signals() {
  handle_stop_signals(exit_stopped);
}

void catch_stop_signals() {
  source();
  handle_stop_signals(request_stop);
}

CancellationToken stop_token() {
  return source().token();
}

}  // namespace rubric
