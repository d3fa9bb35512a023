#include "core/system/signals.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "core/system/terminal.h"

namespace rubric::signals_test {

// Each test in a process of its own: signals and the request are a whole process's.
[[noreturn]] void exit_as_asked() {
  try {
    end_if_stop_requested();
  } catch (const Interrupted&) {
    _exit(kInterrupted);
  }
  _exit(kDone);
}

TEST(StopSignals, NothingIsAskedWithoutASignal) {
  EXPECT_EXIT(
      {
        catch_stop_signals();
        exit_as_asked();
      },
      testing::ExitedWithCode(kDone), "");
}

TEST(StopSignals, TheFirstLeavesARequest) {
  for (const int signal : {SIGTERM, SIGINT}) {
    EXPECT_EXIT(
        {
          catch_stop_signals();
          raise(signal);
          exit_as_asked();
        },
        testing::ExitedWithCode(kInterrupted), "");
  }
}

TEST(StopSignals, BeforeAnythingIsDoneTheyEndTheProgram) {
  for (const int signal : {SIGTERM, SIGINT}) {
    EXPECT_EXIT(
        {
          exit_on_stop_signals();
          raise(signal);
          _exit(kDone);
        },
        testing::ExitedWithCode(kInterrupted), "stopped on request before anything was done");
  }
}

TEST(StopSignals, AQuietProgramSaysNothing) {
  EXPECT_EXIT(
      {
        set_quiet(true);
        catch_stop_signals();
        raise(SIGTERM);
        exit_as_asked();
      },
      testing::ExitedWithCode(kInterrupted), "^$");
}

// A process group and the launcher in it pass on the same request.
TEST(StopSignals, OthersWithinASecondAreTheSameRequest) {
  EXPECT_EXIT(
      {
        catch_stop_signals();
        for (const int signal : {SIGTERM, SIGTERM, SIGINT, SIGTERM}) raise(signal);
        exit_as_asked();
      },
      testing::ExitedWithCode(kInterrupted), "");
}

// A launcher may pass SIGTERM on much later than its process group got it, and a launcher's end is
// SIGTERM for the processes it started.
TEST(StopSignals, ALaterSigtermIsTheSameRequestAndALaterSigintEndsTheProgram) {
  for (const int signal : {SIGTERM, SIGINT}) {
    EXPECT_EXIT(
        {
          catch_stop_signals();
          raise(signal);
          std::this_thread::sleep_for(std::chrono::milliseconds(1100));
          raise(SIGTERM);
          raise(SIGINT);
          exit_as_asked();
        },
        testing::KilledBySignal(SIGINT), "press Ctrl-C again to stop at once");
  }
}

// A read that is waiting when the signal comes must not fail: files would look unreadable.
void read_through_a_signal() {
  constexpr useconds_t kMoment = 50'000;  // microseconds
  int ends[2];
  if (pipe(ends) != 0) _exit(kFailed);
  catch_stop_signals();
  const pid_t reader = getpid();
  if (fork() == 0) {
    usleep(kMoment);  // the reader waits by then
    kill(reader, SIGTERM);
    usleep(kMoment);
    _exit(write(ends[1], "x", 1) == 1 ? kDone : kFailed);
  }
  char byte = 0;
  _exit(read(ends[0], &byte, 1) == 1 ? kDone : kFailed);
}

TEST(StopSignals, AReadGoesOnThroughIt) {
  EXPECT_EXIT(read_through_a_signal(), testing::ExitedWithCode(kDone), "");
}

}  // namespace rubric::signals_test
