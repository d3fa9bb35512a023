// Running another program.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

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

// For who keeps the program running: starts it as run_process() does. `redirect_streams` is called
// in the new process before the program takes its place, where only async-signal-safe calls are
// allowed; false: one failed, as errno says.
pid_t start_process(const std::vector<std::string>& arguments,
                    const std::function<bool()>& redirect_streams);

// waitpid()'s status as run_process() returns it.
int exit_status(int status);

}  // namespace rubric
