// What the commands of the neural half do; each returns the exit code.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

int run_train(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_import(const Arguments& arguments);
int run_quantize(const Arguments& arguments);
int run_average(const Arguments& arguments);

}  // namespace rubric::cli
