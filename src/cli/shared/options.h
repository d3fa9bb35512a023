// Parses the command line of a command.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>

#include "config/request.h"

namespace rubric::cli {

using config::check_json_lines_name;
using config::split_names;
using OptionValues = boost::program_options::variables_map;

struct CommandSyntax {
  std::string usage;  // for --help: the synopsis and what the command does
  boost::program_options::options_description options{"options"};
  boost::program_options::positional_options_description
      positional;                                           // --help shows them only in `usage`
  std::vector<std::string> examples;                        // for --help
  std::map<std::string, std::vector<std::string>> choices;  // the values of options, by name
  std::string metrics;  // the option that lists metrics of metrics/list.h, or ""
};

// Adds --help, --version and --quiet, which every command has.
void add_common_options(CommandSyntax& syntax);

// Adds these to the command's options and parses. --help and --version print to stdout and return
// nothing; --quiet takes effect. Throws InputError, for an unknown option with the nearest valid
// one.
std::optional<OptionValues> parse_options(CommandSyntax syntax,
                                          const std::vector<std::string>& arguments);

// What a command line gives to each option, as written: "" to one without a value. Throws
// InputError as parse_options() does for words that are no options.
std::map<std::string, std::vector<std::string>> given_texts(
    CommandSyntax syntax, const std::vector<std::string>& arguments);

// The options that --help and others list: without those that are positional.
boost::program_options::options_description shown_options(const CommandSyntax& syntax);

// Whether an option was given; false if it only has its default.
bool is_given(const OptionValues& values, const std::string& option);

// The value of an option, or "" when it was not given.
std::string text_option(const OptionValues& values, const std::string& name);

// The values of a repeatable option, in order.
std::vector<std::string> list_option(const OptionValues& values, const std::string& name);

// The names of a repeatable option, each of whose values may be a list: --metric f1 --metric
// em,lerc.
std::vector<std::string> names_option(const OptionValues& values, const std::string& name);

// Puts the number into the program's context; 0: one for each core.
void take_threads(int64_t threads);

}  // namespace rubric::cli
