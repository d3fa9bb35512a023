// rubric-neural: the commands that need libtorch. Users call rubric, which starts this.

#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using rubric::Command;
  static constexpr Command kCommands[] = {
      {"train", "trains a metric as a configuration file says", rubric::run_train},
      {"score", "scores a file of answers with one or more metrics", rubric::run_score},
  };
  return rubric::run_program(argc, argv, kCommands);
}
