// The scripts that complete commands, their parts and options, and the names of metrics. All are
// made from the lists of commands and of metrics.
#pragma once

#include <string>

namespace rubric::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace rubric::cli
