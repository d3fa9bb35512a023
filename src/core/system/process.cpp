#include "core/system/process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/signals.h"

namespace rubric {
namespace {

bool open_as(int descriptor, const std::filesystem::path& file, int flags) {
  if (file.empty()) return true;
  const int opened = open(file.c_str(), flags, 0666);
  if (opened < 0 || opened == descriptor) return opened >= 0;
  return dup2(opened, descriptor) >= 0 && close(opened) == 0;
}

bool redirect(const ProcessStreams& streams) {
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  if (!open_as(STDIN_FILENO, streams.input, O_RDONLY)) return false;
  if (!open_as(STDOUT_FILENO, streams.output, kWrite)) return false;
  if (!streams.errors.empty() && streams.errors == streams.output) {
    return dup2(STDOUT_FILENO, STDERR_FILENO) >= 0;
  }
  return open_as(STDERR_FILENO, streams.errors, kWrite);
}

// What the child does between fork and exec, where only async-signal-safe calls are allowed. Comes
// back, with errno set, where something failed.
void become(char* const* argv, const std::function<bool()>& redirect_streams, pid_t parent) {
  // In a group of its own: a signal to ours, such as a terminal's or a time limit's, reaches it
  // through us alone, once. And it does not go on when we are killed.
  if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return;
  if (getppid() != parent) _exit(EXIT_FAILURE);
  if (redirect_streams()) execvp(argv[0], argv);
}

}  // namespace

pid_t start_process(const std::vector<std::string>& arguments,
                    const std::function<bool()>& redirect_streams) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int ends[2];  // closed when exec succeeds; else it brings errno
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    become(argv.data(), redirect_streams, parent);
    const int problem = errno;
    [[maybe_unused]] const auto written = write(ends[1], &problem, sizeof(problem));
    _exit(EXIT_FAILURE);
  }
  int problem = child < 0 ? errno : 0;
  close(ends[1]);
  while (child > 0 && read(ends[0], &problem, sizeof(problem)) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  if (problem == 0) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  throw Error(std::string("cannot start it: ") + std::strerror(problem), arguments.front());
}

int run_process(const std::vector<std::string>& arguments, const ProcessStreams& streams) {
  const pid_t child = start_process(arguments, [&] { return redirect(streams); });
  bool is_told = false;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {
      throw Error(std::string("cannot wait for it: ") + std::strerror(errno), arguments.front());
    }
    if (is_stop_requested() && !std::exchange(is_told, true)) kill(child, SIGTERM);
    constexpr timespec kPause{0, 5'000'000};
    nanosleep(&kPause, nullptr);
  }
  return exit_status(status);
}

int exit_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace rubric
