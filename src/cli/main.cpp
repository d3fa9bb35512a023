// rubric: runs the light commands itself and hands the others over to rubric-neural.
#include <string>

#include "cli/list.h"
#include "cli/shared/program.h"

int main(int argc, char** argv) {
  using namespace rubric::cli;
  return run_program(argc, argv, kCommands, [](const Command& command, const Arguments& arguments) {
    if (command.run != nullptr) return command.run(arguments);
    hand_over_to_neural(std::string(command.name), arguments);
  });
}
