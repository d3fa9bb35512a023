#include "core/system/process.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::process_test {

TEST(Process, GivesTheExitStatus) {
  EXPECT_EQ(run_process({"true"}), 0);
  EXPECT_EQ(run_process({"sh", "-c", "exit 7"}), 7);
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}), 128 + SIGKILL);
}

TEST(Process, FilesTakeThePlaceOfItsStreams) {
  const TemporaryFolder folder;
  write_file(folder.file("in"), "b\na\n");
  write_file(folder.file("out"), "what was there before, and is longer");
  EXPECT_EQ(run_process({"sh", "-c", "sort; echo bad >&2"},
                        {folder.file("in"), folder.file("out"), folder.file("errors")}),
            0);
  EXPECT_EQ(read_file(folder.file("out")), "a\nb\n");
  EXPECT_EQ(read_file(folder.file("errors")), "bad\n");
  run_process({"sh", "-c", "echo 1; echo 2 >&2; echo 3"},
              {"", folder.file("all"), folder.file("all")});
  EXPECT_EQ(read_file(folder.file("all")), "1\n2\n3\n");
}

TEST(Process, ArgumentsArriveAsTheyAre) {
  const TemporaryFolder folder;
  run_process({"printf", "%s|", "a b", "$HOME", "", "*"}, {"", folder.file("out"), ""});
  EXPECT_EQ(read_file(folder.file("out")), "a b|$HOME||*|");
}

TEST(Process, WhatCannotBeStartedIsNamed) {
  const auto message = [](const std::vector<std::string>& arguments,
                          const ProcessStreams& streams) {
    try {
      run_process(arguments, streams);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  expect_contains(message({"no-such-program-xyz"}, {}), "no-such-program-xyz");
  expect_contains(message({"true"}, {"/no/such/file", "", ""}), "No such file");
}

TEST(Process, IsInAGroupOfItsOwn) {
  const TemporaryFolder folder;
  run_process({"sh", "-c", "read pid name state parent group rest < /proc/$$/stat; echo $$ $group"},
              {"", folder.file("out"), ""});
  std::istringstream out(read_file(folder.file("out")));
  pid_t process = 0, group = -1;
  out >> process >> group;
  EXPECT_EQ(process, group);
}

// A process that does not outlive the test, though what the test is of does not work.
struct Killed {
  pid_t process;
  ~Killed() { end(); }
  void end() {
    if (process > 0) kill(process, SIGKILL);
    if (process > 0) waitpid(process, nullptr, 0);  // fails for a grandchild
    process = -1;
  }
};

// Runs `work` in a new process, which ends with 1 where it throws.
template <class Work>
pid_t forked(Work work) {
  const pid_t process = fork();
  if (process != 0) return process;
  try {
    work();
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

// Whether it comes true before a test that hangs would be ended.
template <class Condition>
bool eventually(Condition condition) {
  const auto last = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > last) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

TEST(Process, DoesNotOutliveAKilledParent) {
  const TemporaryFolder folder;
  const std::string file = folder.file("pid");
  Killed parent{forked([&] {
    run_process({"sh", "-c", "echo $$ > " + file + "; exec sleep 600"});
  })};
  ASSERT_TRUE(
      eventually([&] { return std::filesystem::exists(file) && read_file(file).ends_with('\n'); }));
  const Killed child{std::stoi(read_file(file))};
  parent.end();
  // Gone, or a zombie that nobody has waited for yet.
  const auto has_ended = [&] {
    std::ifstream stat("/proc/" + std::to_string(child.process) + "/stat");
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z";
  };
  EXPECT_TRUE(eventually(has_ended));
}

// Of a program that is told who its parent is.
TEST(Process, EndsWithTheParentThatIsNamed) {
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const auto child_work = [&] {
    end_with_parent();
    const pid_t own = environment("RUBRIC_PARENT").empty() ? getpid() : -1;
    [[maybe_unused]] const auto written = write(told[1], &own, sizeof(own));
    for (;;) pause();
  };
  Killed parent{forked([&] {
    setenv("RUBRIC_PARENT", std::to_string(getpid()).c_str(), 1);
    std::signal(SIGTERM, SIG_IGN);  // is inherited, as is what is blocked
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, nullptr);
    forked(child_work);
    close(told[1]);
    for (;;) pause();
  })};
  close(told[1]);
  const auto can_read = [&] {
    constexpr int kMilliseconds = 60'000;  // else a test that hangs
    pollfd end{told[0], POLLIN, 0};
    return poll(&end, 1, kMilliseconds) == 1;
  };
  pid_t number = 0;
  ASSERT_TRUE(can_read());
  ASSERT_EQ(read(told[0], &number, sizeof(number)), ssize_t{sizeof(number)});
  ASSERT_GT(number, 0);
  const Killed child{number};
  parent.end();
  // The pipe ends with the child; a child that lives on is ended by the guard.
  EXPECT_TRUE(can_read() && read(told[0], &number, sizeof(number)) == 0);
  close(told[0]);
}

// In a process of its own: after it the signal is armed.
TEST(Process, WhoseParentHasEndedDoesNotBegin) {
  constexpr int kRefused = 7;
  const pid_t process = forked([] {
    setenv("RUBRIC_PARENT", "none", 1);
    try {
      end_with_parent();
    } catch (const Interrupted&) {
      end_with_parent();  // the variable is gone
      _exit(kRefused);
    }
  });
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(exit_status(status), kRefused);
}

}  // namespace rubric::process_test
