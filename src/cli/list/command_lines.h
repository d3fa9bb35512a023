// Every command and each part of one, with the words that call it and its options; and their
// manual pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/program_options/options_description.hpp>

#include "cli/command.h"

namespace rubric::cli {

struct CommandLine {
  const Command* command;
  std::vector<std::string> words;                       // "evaluate", "agreement"
  boost::program_options::options_description options;  // with --help, --version and --quiet

  std::string name() const;                       // "evaluate agreement"
  std::vector<std::string> option_names() const;  // "--input", …
};

// In the order of the lists, a part before its command.
std::vector<CommandLine> command_lines();

// Writes manual pages from what --help prints into the folder, which is made where it is missing:
// rubric.1, rubric-score.1, rubric-evaluate-mocha.1 and so on.
void write_man_pages(const std::filesystem::path& folder);

}  // namespace rubric::cli
