// Every command and each part of one, with the words that call it and its options: what completion
// and man pages are made of.
#pragma once

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

// The letter of an option, "i" of --input, or "".
std::string short_name(const boost::program_options::option_description& option);

}  // namespace rubric::cli
