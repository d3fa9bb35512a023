#include "core/system/process.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

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

TEST(Process, DoesNotOutliveAKilledParent) {
  const TemporaryFolder folder;
  const std::string file = folder.file("pid");
  const pid_t parent = fork();
  if (parent == 0) {
    run_process({"sh", "-c", "echo $$ > " + file + "; exec sleep 600"});
    _exit(0);
  }
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  while (!std::filesystem::exists(file) || !read_file(file).ends_with('\n')) pause();
  const pid_t child = std::stoi(read_file(file));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  // Gone, or a zombie that nobody has waited for yet.
  const auto is_alive = [&] {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string number, name, state;
    return (stat >> number >> name >> state) && state != "Z";
  };
  while (is_alive()) pause();
}

// Of a program that is told who its parent is.
TEST(Process, EndsWithTheParentThatIsNamed) {
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    setenv("RUBRIC_PARENT", std::to_string(getpid()).c_str(), 1);
    std::signal(SIGTERM, SIG_IGN);  // is inherited
    const pid_t child = fork();
    if (child == 0) {
      end_with_parent();
      const pid_t own = environment("RUBRIC_PARENT").empty() ? getpid() : -1;
      [[maybe_unused]] const auto written = write(told[1], &own, sizeof(own));
    }
    for (;;) pause();
  }
  close(told[1]);
  pid_t child = 0;
  ASSERT_EQ(read(told[0], &child, sizeof(child)), ssize_t{sizeof(child)});
  EXPECT_GT(child, 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_EQ(read(told[0], &child, sizeof(child)), 0);  // the pipe ends with the child
  close(told[0]);
}

TEST(Process, WhoseParentHasEndedDoesNotBegin) {
  setenv("RUBRIC_PARENT", "none", 1);
  EXPECT_THROW(end_with_parent(), Interrupted);
  EXPECT_NO_THROW(end_with_parent());  // the variable is gone
}

}  // namespace
}  // namespace rubric
