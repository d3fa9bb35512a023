#include "core/process.h"

#include <csignal>

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

}  // namespace
}  // namespace rubric
