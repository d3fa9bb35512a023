// Shared by the two programs, rubric and rubric-neural: commands by name, exit codes, errors as
// messages.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace rubric::cli {

struct Command {
  const char* name;
  const char* summary;  // one line for --help
  int (*run)(const std::vector<std::string>& arguments);
  bool is_for_ranks = false;  // may run as one of a launcher's processes
};

// Runs the command named by the program's own name (a link to it) or by its first argument. Returns
// the exit code; errors are printed to stderr.
int run_program(int argc, char** argv, std::span<const Command> commands);

// Replaces this process by rubric-neural beside it. Throws Error when it is missing.
[[noreturn]] void hand_over_to_neural(const std::string& command,
                                      const std::vector<std::string>& arguments);

// The commands, one function each; arguments exclude the program's and the command's name.

int run_compare(const std::vector<std::string>& arguments);
int run_derive(const std::vector<std::string>& arguments);
int run_describe(const std::vector<std::string>& arguments);
int run_evaluate(const std::vector<std::string>& arguments);
int run_generate(const std::vector<std::string>& arguments);
int run_import(const std::vector<std::string>& arguments);
int run_judge(const std::vector<std::string>& arguments);
int run_prepare(const std::vector<std::string>& arguments);
int run_reproduce(const std::vector<std::string>& arguments);
int run_score(const std::vector<std::string>& arguments);  // one in each program
int run_split(const std::vector<std::string>& arguments);
int run_train(const std::vector<std::string>& arguments);

}  // namespace rubric::cli
