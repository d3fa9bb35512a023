#include "core/signals.h"

#include <csignal>

#include "core/error.h"

namespace rubric {
namespace {

volatile std::sig_atomic_t requested = 0;

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { requested = 1; };
  // A second signal has its default effect; reads and writes go on after the first.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void end_if_stop_requested() {
  if (requested == 0) return;
  throw Interrupted("stopped on request", "", "start the same command again to go on");
}

}  // namespace rubric
