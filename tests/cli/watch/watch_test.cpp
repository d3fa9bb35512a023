// rubric watch: the table, the live picture on a terminal, and what it refuses.
#include <chrono>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "train/curves/run_log_lines.h"

namespace rubric::cli {
namespace {

using train::update_line;
using train::validation_line;

class Watch : public testing::Test {
 protected:
  void make_run(const std::string& name, const std::string& log) const {
    folder_.write(name + "/config.yaml", "task: lerc\n");
    folder_.write(name + "/log.jsonl", log);
  }
  std::string file(const std::string& name) const { return folder_.file(name); }

  TemporaryFolder folder_;
};

// `rubric watch` on a terminal of 30 lines by 100 columns.
class OnTerminal {
 public:
  explicit OnTerminal(const std::vector<std::string>& runs) {
    winsize size{30, 100, 0, 0};
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ != 0) return;
    std::vector<std::string> words = {"rubric", "watch"};
    words.insert(words.end(), runs.begin(), runs.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv((std::string(programs_folder()) + "/rubric").c_str(), argv.data());
    _exit(127);
  }
  ~OnTerminal() {
    if (child_ > 0) end(SIGKILL);
    close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  // Reads until it has shown the text since the last call; what it has shown.
  std::string read_until(const std::string& text) {
    std::string shown;
    pollfd ready{terminal_, POLLIN, 0};
    while (shown.find(text) == std::string::npos && poll(&ready, 1, 30'000) > 0) {
      char buffer[4096];
      const ssize_t size = read(terminal_, buffer, sizeof(buffer));
      if (size <= 0) break;
      shown.append(buffer, static_cast<size_t>(size));
    }
    EXPECT_NE(shown.find(text), std::string::npos) << text << "\nis not in\n" << shown;
    return shown;
  }

  void type(const char* keys) const { EXPECT_EQ(write(terminal_, keys, 1), 1); }

  int end(int signal = 0) {  // the exit code; -1: a signal ended it
    if (signal != 0) kill(child_, signal);
    char buffer[4096];
    while (read(terminal_, buffer, sizeof(buffer)) > 0) {
    }
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_ = -1;
  pid_t child_ = -1;
};

TEST_F(Watch, PrintsATableWhereThereIsNoTerminal) {
  make_run("one", update_line(1, 40, 4) + update_line(2, 40, 2) +
                      validation_line(2, 0.25, 0.75, true) + R"({"event": "upda)");  // torn
  make_run("two", update_line(8, 8, 1));
  folder_.write("two/results.json", "{}");
  make_run("new", "");
  const std::vector<std::string> command = {"rubric", "watch", file("one"), file("two"),
                                            file("new")};
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string part :
       {"2/40", "pearson 0.75", "0.75 (2)", "2e-05", "321", "0:38", "8/8", "finished"}) {
    expect_contains(outcome.out, part);
  }
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2 + 3) << outcome.out;
  const Outcome once = run({"rubric", "watch", "--once", file("one")});
  EXPECT_EQ(once.code, 0) << once.err;

  const Outcome json = run({"rubric", "watch", file("one"), file("new"), "--format", "json"});
  const Json runs = Json::parse(json.out, "stdout");
  const Json& first = runs.array()[0];
  EXPECT_EQ(first.require_integer("step", ""), 2);
  EXPECT_EQ(first.require_integer("steps", ""), 40);
  EXPECT_EQ(first.require_number("loss", ""), 3);
  EXPECT_EQ(first.require_number("dev_loss", ""), 0.25);
  EXPECT_EQ(first.require_string("figure", ""), "pearson");
  EXPECT_EQ(first.require("best", "").require_integer("step", ""), 2);
  EXPECT_EQ(first.require_number("seconds_left", ""), 38);
  EXPECT_FALSE(first.require("finished", "").boolean());
  EXPECT_TRUE(runs.array()[1].require("loss", "").is_null());
  EXPECT_TRUE(runs.array()[1].require("best", "").is_null());
}

TEST_F(Watch, OnATerminalItDrawsUntilAllAreFinished) {
  make_run("one", update_line(1, 40, 4) + update_line(2, 40, 2));
  make_run("two", update_line(8, 8, 1));
  folder_.write("two/results.json", "{}");
  OnTerminal watch({file("one"), file("two")});
  const std::string first = watch.read_until("\033[?7h");
  expect_contains(first, "2/40");
  expect_contains(first, "⠀");  // a plot
  std::ofstream(file("one/log.jsonl"), std::ios::app)
      << update_line(3, 40, 1) << validation_line(3, 0.25, 0.75, true);
  const std::string second = watch.read_until("3/40");
  EXPECT_TRUE(holds(second, "\033[")) << second;
  watch.read_until("dev pearson");
  folder_.write("one/results.json", "{}");
  EXPECT_EQ(watch.end(), 0);
}

TEST_F(Watch, CtrlCEndsItAtOnceAsDone) {
  make_run("one", update_line(1, 40, 4));
  OnTerminal watch({file("one")});
  watch.read_until("\033[?7h");
  watch.type("\x03");
  EXPECT_EQ(watch.end(), 0);
}

TEST_F(Watch, WhatIsNoRunIsNamed) {
  make_run("one", update_line(1, 40, 4) + "{\"event\": \n");
  expect_message(run({"rubric", "watch"}), 2, {"no run is named"});
  expect_message(run({"rubric", "watch", file("absent")}), 2, {"no such folder", file("absent")});
  folder_.write("other/rows.csv", "a\n");
  expect_message(run({"rubric", "watch", file("other")}), 2,
                 {"this is not the folder of a run", file("other"), "under runs/"});
  expect_message(run({"rubric", "watch", file("other/rows.csv")}), 2, {"not the folder of a run"});
  expect_message(run({"rubric", "watch", file("one")}), 2, {"log.jsonl:2"});
  expect_message(run({"rubric", "watch", file("one"), "--format", "yaml"}), 2, {"yaml"});
}

}  // namespace
}  // namespace rubric::cli
