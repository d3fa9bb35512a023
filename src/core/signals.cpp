#include "core/signals.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>

#include <unistd.h>

#include "core/error.h"

namespace rubric {
namespace {

constexpr int64_t kSecond = 1'000'000'000;  // in nanoseconds

// When the request came, on the monotonic clock; 0: none has.
std::atomic<int64_t> requested_at = 0;
static_assert(std::atomic<int64_t>::is_always_lock_free);  // a handler may wait for nothing

int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

// Calls nothing but what POSIX allows in a handler.
void request_stop(int signal) {
  const int before = errno;
  int64_t first = 0;
  if (requested_at.compare_exchange_strong(first, now())) {
    constexpr std::string_view kHeard = "\nstopping after the piece at hand; once more: at once\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kHeard.data(), kHeard.size());
  } else if (now() - first >= kSecond) {
    std::signal(signal, SIG_DFL);
    raise(signal);  // ends the program when this handler returns
  }
  errno = before;
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART;  // reads and writes go on
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool is_stop_requested() {
  return requested_at != 0;
}

void end_if_stop_requested() {
  if (!is_stop_requested()) return;
  throw Interrupted("stopped on request", "", "start the same command again to go on");
}

}  // namespace rubric
