// Shared by the two programs, rubric and rubric-neural: commands by name, exit codes, errors as
// messages.
#pragma once

#include <string>

#include "cli/command.h"

namespace rubric::cli {

// Runs the command named by the program's own name (a link to it) or by its first argument, with
// `run`. Returns the exit code; errors are printed to stderr.
int run_program(int argc, char** argv, List<Command> commands,
                int (*run)(const Command& command, const Arguments& arguments));

// Replaces this process by rubric-neural beside it. Throws Error when it is missing.
[[noreturn]] void hand_over_to_neural(const std::string& command, const Arguments& arguments);

}  // namespace rubric::cli
