#include "core/signals.h"

#include <csignal>

namespace rubric {
namespace {

volatile std::sig_atomic_t requested = 0;

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { requested = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second signal has its default effect
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() {
  return requested != 0;
}

}  // namespace rubric
