// One program with a command each, and each command as a program of its own name.
#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace rubric {
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
  for (const char* command : {"score", "evaluate", "compare", "prepare"}) {
    const Outcome help = run({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(holds(help.out, std::string("usage: rubric ") + command)) << help.out;
    EXPECT_EQ(run({"rubric", command, "--help"}).out, help.out);
  }
  expect_message(run({"rubric", "scroe"}), 2, {"\"scroe\"", "did you mean score?"});
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

}  // namespace
}  // namespace rubric
