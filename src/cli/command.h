// The descriptor of a command, or of a subcommand such as a suite of `evaluate`. Its options are
// light code even if librubric-neural.so runs it, so that they are listed, and `reproduce` knows
// what a step reads, without libtorch. What --help says of it and its examples are in cli/usage, a
// file for each.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shared/options.h"
#include "config/call.h"
#include "core/list.h"

namespace rubric::cli {

using Arguments = std::vector<std::string>;  // without the program's and the command's name

struct Command {
  std::string_view name;
  std::string_view parent = "";  // the command that it is a subcommand of
  std::string_view summary;
  // A call of it, of whose fields the options are made, and whose result is printed. Null: it has
  // subcommands.
  std::unique_ptr<config::Call> (*make_call)() = nullptr;
  std::map<std::string, std::string> (*listed)() = nullptr;  // what its text has in place of {name}
  bool is_neural = false;        // needs libtorch, `score` for some metrics only
  bool has_ranks = false;        // that share its work
  bool is_step = false;          // may be a step of an experiment
  bool has_link = false;         // it is also a program of its own name, which no system has
  bool resumes = false;          // what a stopped call has written
  bool makes_directory = false;  // which must not be there before, as a run directory
  std::span<const Command* const> subcommands = {};
  std::string_view subcommand_name = "";  // what one is called: "suite"
};

// "evaluate agreement"
std::string words_of(const Command& command);

// Its options, with the text of --help and the examples.
CommandSyntax syntax_of(const Command& command);

// The lines of its examples.
std::vector<std::string> examples_of(const Command& command);

}  // namespace rubric::cli
