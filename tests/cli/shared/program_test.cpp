// One program with a command each, and each command as a program of its own name.
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/system/process.h"

namespace rubric::cli::program_test {

TEST(Program, IsOneProgramByAnyName) {
  const Outcome nothing = run({"rubric"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(holds(nothing.err, "usage: rubric COMMAND")) << nothing.err;
  for (const char* command : {"train", "score", "evaluate", "compare", "prepare"}) {
    EXPECT_TRUE(holds(nothing.err, command));
  }
  EXPECT_EQ(run({"rubric", "--help"}).out, nothing.err);
  EXPECT_EQ(run({"rubric", "-qh"}).out, nothing.err);
  EXPECT_EQ(run({"rubric", "-qV"}).out, run({"rubric", "--version"}).out);
  EXPECT_TRUE(holds(run({"rubric", "--version"}).out, "rubric "));
  for (const char* command : {"score", "evaluate", "prepare"}) {
    const Outcome help = done(run({command, "--help"}));
    EXPECT_TRUE(holds(help.out, std::string("usage: rubric ") + command)) << help.out;
    EXPECT_EQ(run({"rubric", command, "--help"}).out, help.out);
    EXPECT_EQ(run({command, "-h"}).out, help.out);
    EXPECT_EQ(run({command, "-qh"}).out, help.out);
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

// A copy of the program, with another file in place of librubric-neural.so.
struct Copied : testing::Test {
  Outcome train(const std::vector<std::string>& arguments = {},
                const Environment& environment = {}) {
    std::vector<std::string> command = {fs::relative(program_, programs_folder())};
    command.emplace_back("train");
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, environment);
  }
  void put_stand_in() {
    fs::copy_file(fs::path(programs_folder()).parent_path() / "lib/stand_in.so", neural_,
                  fs::copy_options::overwrite_existing);
  }

  const TemporaryFolder folder_;
  const std::string program_ = copy_program(folder_.path());
  const fs::path neural_ = folder_.path() / "lib" / library_file("librubric-neural");
};

// Beside other programs a thread that spins keeps the core from the thread that it waits for.
TEST_F(Copied, SetsWhatLibtorchReadsBeforeItIsLoaded) {
  put_stand_in();
  const auto variables = [&](const Environment& environment) { return train({}, environment).out; };
  const std::string strict = "ONEDNN_DEFAULT_FPMATH_MODE=STRICT\n";
  EXPECT_EQ(variables({{"GOMP_SPINCOUNT", ""}, {"OMP_WAIT_POLICY", ""}}),
            "GOMP_SPINCOUNT=10000\n" + strict);
  EXPECT_EQ(variables({{"GOMP_SPINCOUNT", "5"}, {"ONEDNN_DEFAULT_FPMATH_MODE", "BF16"}}),
            "GOMP_SPINCOUNT=5\n" + strict);
  EXPECT_EQ(variables({{"GOMP_SPINCOUNT", ""}, {"OMP_WAIT_POLICY", "active"}}),
            "GOMP_SPINCOUNT=\n" + strict);
}

TEST_F(Copied, AnErrorOfTheNeuralHalfIsTheUsersInput) {
  put_stand_in();
  expect_message(train({"--dry-run"}), 2, {"a wrong model\n", "model.bin", "name another"});
}

TEST_F(Copied, SaysWhichLibraryIsMissingOrDamaged) {
  fs::remove(neural_);
  expect_message(train(), 1, {"this command needs librubric-neural.so", "run scripts/build"});
  EXPECT_EQ(train({"--help"}).code, 0);
  write_file(neural_, "no library");
  expect_message(train(), 1, {"cannot be loaded", neural_.string()});
}

// The program starts in a hundredth of a second; libtorch alone takes thirty.
TEST_F(Copied, LightCodeLinksNeitherLibtorchNorOpenMp) {
  const std::string list = folder_.file("list");
  ASSERT_EQ(run_process({"/usr/bin/ldd", program_}, {"", list, list}), 0) << read_file(list);
  const std::string libraries = read_file(list);
  expect_contains(libraries, (folder_.path() / "bin/../lib/librubric.so.").string());
  for (const char* const heavy : {"libtorch", "libc10", "libgomp", "librubric-neural"}) {
    EXPECT_FALSE(holds(libraries, heavy)) << libraries;
  }
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

}  // namespace rubric::cli::program_test
