// One program with a command each, and each command as a program of its own name.
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace rubric::cli {
namespace {

TEST(Program, IsOneProgramByAnyName) {
  const Outcome nothing = run({"rubric"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(holds(nothing.err, "usage: rubric COMMAND")) << nothing.err;
  for (const char* command : {"train", "score", "evaluate", "compare", "prepare"}) {
    EXPECT_TRUE(holds(nothing.err, command));
  }
  EXPECT_EQ(run({"rubric", "--help"}).out, nothing.err);
  EXPECT_TRUE(holds(run({"rubric", "--version"}).out, "rubric "));
  for (const char* command : {"score", "evaluate", "prepare"}) {
    const Outcome help = run({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(holds(help.out, std::string("usage: rubric ") + command)) << help.out;
    EXPECT_EQ(run({"rubric", command, "--help"}).out, help.out);
    EXPECT_EQ(run({command, "-h"}).out, help.out);
    EXPECT_EQ(run({"rubric", "help", command}).out, help.out);
  }
  EXPECT_EQ(run({"rubric", "help"}).out, nothing.err);
  EXPECT_EQ(run({"rubric", "-V"}).out, run({"rubric", "--version"}).out);
  EXPECT_EQ(run({"rubric", "help", "evaluate", "agreement"}).out,
            run({"rubric", "evaluate", "agreement", "--help"}).out);
  expect_message(run({"rubric", "help", "scroe"}), 2, {"did you mean score?"});
  expect_message(run({"rubric", "scroe"}), 2, {"\"scroe\"", "did you mean score?"});
}

TEST(Program, ASubcommandIsFoundWithItsCommand) {
  const auto expect_advice = [](const std::vector<std::string>& words, const std::string& line) {
    SCOPED_TRACE(words.back());
    expect_message(run(words), 2, {"\"" + words.back() + "\"", line});
  };
  expect_advice({"rubric", "agreement"}, "write rubric evaluate agreement");
  expect_advice({"rubric", "agrement"}, "did you mean rubric evaluate agreement?");
  expect_advice({"rubric", "r4c-pairs"}, "write rubric derive r4c-pairs");
  expect_advice({"rubric", "mocha"}, "write rubric evaluate mocha");
  expect_advice({"rubric", "evaluate", "compare"}, "write rubric compare");
  expect_advice({"evaluate", "estimate"}, "write rubric estimate");
  expect_advice({"rubric", "derive", "gaps"}, "write rubric evaluate gaps");
  expect_message(run({"rubric", "help", "gaps"}), 2, {"write rubric evaluate gaps"});
}

TEST(Program, TellsItsVersionWhereThatIsAnOption) {
  const std::string version = run({"rubric", "--version"}).out;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"score", "--version"},
                                                    {"rubric", "prepare", "--version"},
                                                    {"evaluate", "--version"},
                                                    {"evaluate", "mocha", "--version"}}) {
    EXPECT_EQ(run(arguments).out, version);
  }
  // Here it is another option's value.
  EXPECT_NE(run({"score", "em", "--input", "absent.jsonl", "--output", "/dev/null", "--strip",
                 "--version"})
                .out,
            version);
}

// What the Python package says where it finds no libtorch that fits.
TEST(Program, NeedsALibtorchThatFits) {
  const Environment told = {
      {"RUBRIC_LIBTORCH_PROBLEM", "torch 9 is not the build's 2\n  to do: install that"}};
  expect_message(run({"train", "--config", "lerc.yaml"}, told), 2,
                 {"torch 9 is not the build's 2"});
  EXPECT_EQ(run({"train", "--help"}, told).code, 0);  // which does not need it
}

// Beside other programs a thread that spins keeps the core from the thread that it waits for.
TEST(Program, LetsWaitingThreadsSpinForAShortTime) {
  const TemporaryFolder folder;
  const auto neural = folder.write("rubric-neural", "#!/bin/sh\necho \"spins $GOMP_SPINCOUNT\"\n");
  std::filesystem::permissions(neural, std::filesystem::perms::owner_all);
  const std::filesystem::path copy = folder.path() / "rubric";
  std::filesystem::copy_file(std::filesystem::path(programs_folder()) / "rubric", copy);
  const auto spins = [&](const Environment& environment) {
    return run({std::filesystem::relative(copy, programs_folder()), "train"}, environment).out;
  };
  EXPECT_EQ(spins({{"GOMP_SPINCOUNT", ""}, {"OMP_WAIT_POLICY", ""}}), "spins 10000\n");
  EXPECT_EQ(spins({{"GOMP_SPINCOUNT", "5"}}), "spins 5\n");
  EXPECT_EQ(spins({{"GOMP_SPINCOUNT", ""}, {"OMP_WAIT_POLICY", "active"}}), "spins \n");
}

// Their ranks are no matter of theirs: a notebook's or a job's variables stop none of them.
TEST(Program, CommandsThatHaveNoRanksDoNotLookAtALaunchersVariables) {
  const Environment environments[] = {{{"RANK", "1"}, {"WORLD_SIZE", "2"}},
                                      {{"RANK", "none"}},
                                      {{"PMI_RANK", "3"}, {"PMI_SIZE", "2"}},
                                      {{"ALPS_APP_PE", "3"}}};
  for (const Environment& environment : environments) {
    EXPECT_EQ(run({"rubric", "list", "metrics"}, environment).code, 0);
    expect_message(run({"rubric", "evaluate", "agreement"}, environment), 2, {"--input"});
  }
}

}  // namespace
}  // namespace rubric::cli
