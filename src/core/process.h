// Running another program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubric {

// Files that take the place of the standard streams; empty: this program's own.
struct ProcessStreams {
  std::filesystem::path input, output, errors;
};

// Starts arguments[0], looked up in $PATH unless it is a path, waits for it, and returns its exit
// status; 128 + N when signal N ended it. A stop request that this program gets meanwhile is passed
// on, once, and it gets SIGTERM when this program is killed. Throws Error when the program cannot
// be started or a file not be opened.
int run_process(const std::vector<std::string>& arguments, const ProcessStreams& streams = {});

}  // namespace rubric
