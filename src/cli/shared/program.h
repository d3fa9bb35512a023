// The program: commands by name, exit codes, errors as messages.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

// Runs the command named by the program's own name (a link to it) or by its first argument. Returns
// the exit code; errors are printed to stderr.
int run_program(int argc, char** argv);

// The command that runs, as a shell takes it: "rubric score f1 --input rows.csv".
const std::string& command_line();

}  // namespace rubric::cli
