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

// Replaces the first argument, if it is the old name of a part, by what the part is called today.
// Returns null if it is not an old name.
const RenamedPart* take_new_part(const Command& command, Arguments& arguments);

// Replaces this process by rubric-neural beside it. Throws Error when it is missing.
[[noreturn]] void hand_over_to_neural(const std::string& command, const Arguments& arguments);

}  // namespace rubric::cli
