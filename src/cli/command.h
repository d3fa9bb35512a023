// The descriptor of a command, or of a part of one such as a suite of `evaluate`. Its options are
// light code even if rubric-neural runs it, so that rubric lists them and `reproduce` knows what a
// step reads.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shared/options.h"
#include "core/list.h"

namespace rubric::cli {

using Arguments = std::vector<std::string>;  // without the program's and the command's name

// The old name of a part, which is shown nowhere, and works with a warning for one version.
struct RenamedPart {
  std::string_view old_name;
  std::string_view words;  // what to write today: the part's name, perhaps with an argument
};

// A command line for the end of --help and of the man page.
struct Example {
  std::string_view line;
  bool runs = false;  // in a folder that holds samples/, after those before it
};
inline constexpr bool kRuns = true;

struct Command {
  std::string_view name, summary;
  CommandSyntax (*syntax)() = nullptr;  // null: it has parts
  // Returns the exit code. Null: rubric-neural runs it (run_neural), or its parts are run.
  int (*run)(const Arguments& arguments) = nullptr;
  bool is_neural = false;  // rubric-neural runs it, perhaps besides rubric
  bool is_step = false;    // may be a step of an experiment
  bool has_link = false;   // it is also a program of its own name, which no system has
  std::span<const Command* const> parts = {};  // each with a syntax
  std::string_view part_name = "";             // what one is called: "suite"
  std::span<const RenamedPart> renamed_parts = {};
  std::span<const Example> examples = {};
};

// Its options, with its examples.
CommandSyntax syntax_of(const Command& command);

// What rubric-neural runs for a command. Linking fails if a definition is missing.
template <const Command& command>
int run_neural(const Arguments& arguments);

}  // namespace rubric::cli
