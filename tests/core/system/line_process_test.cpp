#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/system/process.h"
#include "messages.h"

namespace rubric::line_process_test {

using std::chrono::milliseconds;

constexpr milliseconds kPatience(20'000);

std::vector<std::string> shell(const std::string& script) {
  return {"sh", "-c", script};
}

std::string failure(LineProcess& process, const std::string& line) {
  try {
    process.ask(line);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(LineProcess, AnswersLineByLine) {
  LineProcess process(shell("echo ready; while read -r line; do echo \"<$line>\"; done"), kPatience,
                      "");
  EXPECT_EQ(process.read_line(), "ready");
  EXPECT_EQ(process.ask("one"), "<one>");
  EXPECT_EQ(process.ask(""), "<>");
  EXPECT_EQ(process.ask("two \\ three"), "<two \\ three>");
}

// Lines that came together are given one by one.
TEST(LineProcess, KeepsWhatCameTooSoon) {
  LineProcess process(shell("printf 'a\\nb\\n'; read -r line; echo \"$line\""), kPatience, "");
  EXPECT_EQ(process.read_line(), "a");
  EXPECT_EQ(process.ask("c"), "b");
  EXPECT_EQ(process.read_line(), "c");
}

// Megabytes on all three streams, where a pipe holds some 64 kB: cat writes while it is written to.
TEST(LineProcess, NobodyWaitsForTheOther) {
  LineProcess process(shell("head -c 3000000 /dev/zero >&2; exec cat"), kPatience, "");
  std::string line;
  while (line.size() < 5 << 20) line += "some words, ";
  EXPECT_EQ(process.ask(line), line);
  EXPECT_EQ(process.ask("and on"), "and on");
}

TEST(LineProcess, AnEndIsAnErrorWithWhatItSaid) {
  LineProcess ending(shell("read -r line; echo no such dictionary >&2; exit 3"), kPatience, "wait");
  EXPECT_EQ(failure(ending, "ข้าว"),
            error_lines("the program ended with exit status 3, asked for ข้าว…: no such dictionary",
                        "sh -c read -r line; echo no such dictionary >&2; exit 3", "wait"));
  expect_contains(failure(ending, "b"), "the program has ended");
  LineProcess killed(shell("kill -9 $$"), kPatience, "");
  expect_contains(failure(killed, "a"), "exit status 137");
}

// The signal SIGPIPE would end this test.
TEST(LineProcess, WhoDoesNotReadIsAnError) {
  LineProcess process({"python3", "-c",
                       "import socket, time\n"
                       "socket.socket(fileno=0).shutdown(socket.SHUT_RD)\n"
                       "print('deaf', flush=True)\n"
                       "time.sleep(600)"},
                      kPatience, "");
  EXPECT_EQ(process.read_line(), "deaf");
  expect_contains(failure(process, "a"), "the program ended");
}

TEST(LineProcess, PatienceEnds) {
  LineProcess silent(shell("echo thinking >&2; sleep 600"), milliseconds(100), "");
  const std::string message = failure(silent, "a");
  expect_says(message, {"the program has not answered for 0.1 s", "thinking"});
}

TEST(LineProcess, WhatCannotBeStartedIsNamed) {
  try {
    LineProcess process({"no-such-program-xyz"}, kPatience, "");
    FAIL();
  } catch (const Error& error) {
    expect_contains(error.what(), "no-such-program-xyz");
  }
}

// With its children, and without being asked.
TEST(LineProcess, EndsWithItsOwner) {
  std::string pid;
  {
    LineProcess process(shell("sleep 600 & echo $!; wait"), kPatience, "");
    pid = process.read_line();
  }
  // Gone, or a zombie that nobody has waited for yet.
  const auto is_alive = [&] {
    std::ifstream stat("/proc/" + pid + "/stat");
    std::string number, name, state;
    return (stat >> number >> name >> state) && state != "Z";
  };
  while (is_alive()) std::this_thread::sleep_for(milliseconds(5));
}

}  // namespace rubric::line_process_test
