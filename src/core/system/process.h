// Runs other programs: once (run_process), or as a process that answers lines (LineProcess).
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

// A word of a command line, in quotes where a shell needs them: 'my file.csv'.
std::string shell_word(const std::string& word);

// Files that replace the standard streams; an empty path keeps this program's stream.
struct ProcessStreams {
  std::filesystem::path input, output, errors;
};

// Starts arguments[0], looked up in $PATH unless it is a path, waits for it, and returns its exit
// status, or 128 + N when signal N ended it. Passes on a stop request to it, once; it gets SIGTERM
// when this program is killed. Throws Error when the program cannot be started or a file cannot be
// opened.
int run_process(const std::vector<std::string>& arguments, const ProcessStreams& streams = {});

// Starts a program as run_process() does, and does not wait for it. `redirect_streams` is called in
// the new process before exec, where only async-signal-safe calls are allowed; it returns false
// when one failed with errno.
pid_t start_process(const std::vector<std::string>& arguments,
                    const std::function<bool()>& redirect_streams);

// Ends this program with the one that started it, whose process number $RUBRIC_PARENT says (the
// Python package sets it): however the parent ends, this process gets SIGTERM. Does nothing without
// the variable, and removes it, as it is not for programs that this one starts. Throws Interrupted
// when the parent has ended already.
//
// The kernel sends the signal (PR_SET_PDEATHSIG) when the thread that started this process ends;
// the package's thread waits for this process, so it ends earlier only with the whole parent. A
// pipe that the parent holds open would not tell: its forked children hold it open, too.
void end_with_parent();

// Converts a status of waitpid() into what run_process() returns.
int exit_status(int status);

// A child process that reads lines on its standard input and answers each with a line on its
// standard output, without buffering. Its stderr is kept for error messages. The destructor ends
// it.
class LineProcess {
 public:
  // arguments[0] is looked up in $PATH unless it is a path. Throws Error when it cannot be started.
  LineProcess(std::vector<std::string> arguments, std::chrono::milliseconds patience,
              std::string what_to_do);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  // Reads a line, without its end. Both functions throw Error with the program's stderr when the
  // program ends, or when it neither reads nor writes for `patience`; Interrupted on a stop
  // request.
  std::string read_line();
  std::string ask(std::string_view line);  // sends a line and returns the answer

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
  FileDescriptor socket_;  // to its standard input, and from its standard output
  FileDescriptor errors_;  // its stderr: a file without a name
  pid_t child_ = -1;       // -1: it has ended
  std::string received_;   // but not yet returned
  std::string asked_;      // the beginning of the last line, for messages
};

}  // namespace rubric
