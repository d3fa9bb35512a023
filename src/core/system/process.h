// Running another program.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "core/files/files.h"

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

// A program that answers lines as long as it is wanted.

// Reads lines on its standard input and writes lines on its standard output, each of them at once;
// what it writes on stderr is kept for messages. Ends with this object.
class LineProcess {
 public:
  // arguments[0] is looked up in $PATH unless it is a path. Throws Error when it cannot be started.
  LineProcess(std::vector<std::string> arguments, std::chrono::milliseconds patience,
              std::string what_to_do);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  // A line, without its end. Both throw Error, with what the program said on stderr, when it ends,
  // or neither reads nor writes for as long as our patience; Interrupted on a stop request.
  std::string read_line();
  std::string ask(std::string_view line);  // the answer to a line

 private:
  std::string exchange(std::string_view unsent);
  short await(short events);
  void receive();
  size_t send_some(std::string_view bytes);
  [[noreturn]] void fail_as_ended();
  [[noreturn]] void fail(const std::string& what) const;
  int end();

  std::vector<std::string> arguments_;
  std::chrono::milliseconds patience_;
  std::string what_to_do_;
  Descriptor socket_;     // to its standard input, and from its standard output
  Descriptor errors_;     // its stderr: a file without a name
  pid_t child_ = -1;      // -1: it has ended
  std::string received_;  // and not yet given back
  std::string asked_;     // the beginning of the last line, for messages
};

}  // namespace rubric
