// The examples at the end of --help.
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/list.h"
#include "cli/list/command_lines.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/system/process.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::cli {
namespace {

TEST(Examples, EveryHelpEndsWithSome) {
  for (const CommandLine& line : command_lines()) {
    std::vector<std::string> call = {"rubric"};
    call.insert(call.end(), line.words.begin(), line.words.end());
    call.emplace_back("--help");
    const Outcome help = run(call);
    ASSERT_EQ(help.code, 0) << help.err;
    std::string end = "\nexamples:\n";
    bool is_used = false;
    for (const Example& example : line.command->examples) {
      end += "  " + std::string(example.line) + "\n";
      is_used = is_used || holds(std::string(example.line), "rubric " + line.name());
    }
    EXPECT_TRUE(help.out.ends_with(end)) << help.out;
    EXPECT_GE(line.command->examples.size(), 2U) << line.name();
    EXPECT_LE(line.command->examples.size(), 3U) << line.name();
    EXPECT_TRUE(is_used || !line.command->parts.empty()) << line.name();
  }
}

// Those that nobody runs here name options that there are.
TEST(Examples, NameOptionsOfToday) {
  for (const CommandLine& line : command_lines()) {
    for (const Example& example : line.command->examples) {
      std::istringstream stream{std::string(example.line)};
      std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
      for (const CommandLine& called : command_lines()) {
        if (!example.line.starts_with("rubric " + called.name() + " ")) continue;
        for (const std::string& word : words) {
          if (!word.starts_with("--")) continue;
          EXPECT_EQ(std::ranges::count(called.option_names(), word), 1)
              << example.line << ": " << word;
        }
        break;  // a part stands before its command
      }
    }
  }
}

TEST(Examples, ThoseOnTheSamplesRun) {
  size_t ran = 0;
  for (const CommandLine& line : command_lines()) {
    const TemporaryFolder folder;
    std::filesystem::create_directory_symlink(std::string(source_folder()) + "/samples",
                                              folder.file("samples"));
    for (const Example& example : line.command->examples) {
      if (!example.runs) continue;
      ++ran;
      const std::string script = "cd '" + folder.file("") + "' && unset RUBRIC_DATA && PATH='" +
                                 std::string(programs_folder()) + "':$PATH && " +
                                 std::string(example.line);
      EXPECT_EQ(run_process({"/bin/sh", "-c", script},
                            {"", folder.file("stdout"), folder.file("stderr")}),
                0)
          << example.line << "\n"
          << read_file(folder.file("stderr"));
      EXPECT_FALSE(holds(read_file(folder.file("stderr")), "the next version")) << example.line;
    }
  }
  EXPECT_GE(ran, 30U);
}

}  // namespace
}  // namespace rubric::cli
