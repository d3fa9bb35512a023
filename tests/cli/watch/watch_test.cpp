// rubric watch: the table, the live picture on a terminal, and what it refuses.
#include <chrono>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "cli/on_terminal.h"
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

// `rubric watch` on a terminal.
OnTerminal watch_of(const std::vector<std::string>& runs) {
  std::vector<std::string> words = {std::string(programs_folder()) + "/rubric", "watch"};
  words.insert(words.end(), runs.begin(), runs.end());
  return OnTerminal(words);
}

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
  OnTerminal watch = watch_of({file("one"), file("two")});
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

// What a run is called, and its metric, come from files.
TEST_F(Watch, EscapeCodesDoNotReachTheTerminal) {
  std::string line = validation_line(2, 0.25, 0.75, true);
  line.replace(line.find("pearson"), 7, "pear\\u001b[31mson");
  make_run("on\033[35me", update_line(1, 40, 4) + update_line(2, 40, 2) + line);
  OnTerminal watch = watch_of({file("on\033[35me")});
  const std::string shown = watch.read_until("\033[?7h");
  expect_contains(shown, "⠀");  // a plot
  EXPECT_FALSE(holds(shown, "\033[35m")) << shown;
  EXPECT_FALSE(holds(shown, "\033[31m")) << shown;
}

TEST_F(Watch, OfSeveralFoldersThoseOfRunsAreShown) {
  make_run("one", update_line(1, 40, 4));
  make_run("two", update_line(8, 8, 1));
  folder_.write("token_store/rows.h5", "");
  const Outcome outcome =
      run({"rubric", "watch", file("one"), file("token_store"), file("two"), "--once"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.out, "1/40");
  expect_contains(outcome.out, "8/8");
  EXPECT_FALSE(holds(outcome.out, "token_store")) << outcome.out;
  expect_contains(outcome.err, "token_store");
  expect_message(run({"rubric", "watch", file("token_store"), file("token_store")}), 2,
                 {"not the folder of a run"});
  expect_message(run({"rubric", "watch", file("one"), file("absent")}), 2, {"no such folder"});
}

TEST_F(Watch, CtrlCEndsItAtOnceAsDone) {
  make_run("one", update_line(1, 40, 4));
  OnTerminal watch = watch_of({file("one")});
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
