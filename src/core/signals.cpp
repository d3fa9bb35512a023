#include "core/signals.h"

#include <cerrno>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "core/error.h"

namespace rubric {
namespace {

volatile std::sig_atomic_t requested = 0;

void request_stop(int) {
  const int before = errno;
  constexpr std::string_view kHeard = "\nstopping after the piece at hand; once more: at once\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kHeard.data(), kHeard.size());
  requested = 1;
  errno = before;
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  // A second signal has its default effect; reads and writes go on after the first.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool is_stop_requested() {
  return requested != 0;
}

void end_if_stop_requested() {
  if (!is_stop_requested()) return;
  throw Interrupted("stopped on request", "", "start the same command again to go on");
}

}  // namespace rubric
