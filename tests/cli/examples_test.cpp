// The examples at the end of --help.
#include <filesystem>
#include <regex>
#include <set>
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

namespace rubric::cli::examples_test {

TEST(Examples, EveryHelpEndsWithSome) {
  for (const CommandLine& line : command_lines()) {
    std::vector<std::string> call = {"rubric"};
    call.insert(call.end(), line.words.begin(), line.words.end());
    call.emplace_back("--help");
    const Outcome help = done(run(call));
    std::string end = "\nexamples:\n";
    bool is_used = false;
    const std::vector<std::string> examples = examples_of(*line.command);
    for (const std::string& example : examples) {
      end += "  " + example + "\n";
      is_used = is_used || holds(example, "rubric " + line.name());
    }
    EXPECT_TRUE(help.out.ends_with(end)) << help.out;
    EXPECT_GE(examples.size(), 2U) << line.name();
    EXPECT_LE(examples.size(), 3U) << line.name();
    EXPECT_TRUE(is_used || !line.command->subcommands.empty()) << line.name();
  }
}

// Those that nobody runs here name options that there are.
TEST(Examples, NameOptionsOfToday) {
  for (const CommandLine& line : command_lines()) {
    for (const std::string& example : examples_of(*line.command)) {
      std::istringstream stream{example};
      std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
      for (const CommandLine& called : command_lines()) {
        if (!example.starts_with("rubric " + called.name() + " ")) continue;
        for (const std::string& word : words) {
          if (!word.starts_with("--")) continue;
          EXPECT_EQ(std::ranges::count(called.option_names(), word), 1) << example << ": " << word;
        }
        break;  // a part stands before its command
      }
    }
  }
}

// Whether the example, which needs no model, reads nothing but samples and what the examples before
// it have written. Adds what it writes.
bool runs_on_samples(const std::string& example, std::set<std::string>& written) {
  if (example.starts_with("rubric help") || example.starts_with("rubric list") ||
      holds(example, "--dry-run")) {
    return true;
  }
  if (holds(example, "--config") || holds(example, "--model")) return false;
  bool reads_known = false;
  std::vector<std::string> outputs;
  std::istringstream stream{example};
  std::string before;
  for (std::string word; stream >> word; before = word) {
    if (!std::regex_search(word, std::regex("\\.(csv|jsonl?|html|yaml|gz)$"))) continue;
    const bool is_output = before == "--output" || before == "--report" ||
                           (before == "--ledger" && example.starts_with("rubric judge"));
    if (is_output) outputs.push_back(word);
    if (is_output) continue;
    if (!holds(word, "samples/") && !written.contains(word)) return false;
    reads_known = true;
  }
  if (reads_known) written.insert(outputs.begin(), outputs.end());
  return reads_known;
}

TEST(Examples, ThoseOnTheSamplesRun) {
  size_t ran = 0;
  for (const CommandLine& line : command_lines()) {
    const TemporaryFolder folder;
    std::filesystem::create_directory_symlink(std::string(source_folder()) + "/samples",
                                              folder.file("samples"));
    std::set<std::string> written;
    for (const std::string& example : examples_of(*line.command)) {
      if (!runs_on_samples(example, written)) continue;
      ++ran;
      const std::string script = "cd '" + folder.file("") + "' && unset RUBRIC_DATA && PATH='" +
                                 std::string(programs_folder()) + "':$PATH && " + example;
      EXPECT_EQ(run_process({"/bin/sh", "-c", script},
                            {"", folder.file("stdout"), folder.file("stderr")}),
                0)
          << example << "\n"
          << read_file(folder.file("stderr"));
    }
  }
  EXPECT_GE(ran, 30U);
}

}  // namespace rubric::cli::examples_test
