#include "core/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/signals.h"

extern char** environ;

namespace rubric {
namespace {

// Which file each standard stream of a program to be started is.
class Redirections {
 public:
  explicit Redirections(const ProcessStreams& streams) {
    posix_spawn_file_actions_init(&actions_);
    open_as(STDIN_FILENO, streams.input, O_RDONLY);
    open_as(STDOUT_FILENO, streams.output, O_WRONLY | O_CREAT | O_TRUNC);
    if (!streams.errors.empty() && streams.errors == streams.output) {
      posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    } else {
      open_as(STDERR_FILENO, streams.errors, O_WRONLY | O_CREAT | O_TRUNC);
    }
  }
  ~Redirections() { posix_spawn_file_actions_destroy(&actions_); }
  Redirections(const Redirections&) = delete;
  Redirections& operator=(const Redirections&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void open_as(int descriptor, const std::filesystem::path& file, int flags) {
    if (file.empty()) return;
    posix_spawn_file_actions_addopen(&actions_, descriptor, file.c_str(), flags, 0666);
  }
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

int run_process(const std::vector<std::string>& arguments, const ProcessStreams& streams) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const Redirections redirections(streams);
  const int failure =
      posix_spawnp(&child, argv[0], redirections.get(), nullptr, argv.data(), environ);
  if (failure != 0) {
    throw Error(std::string("cannot start it: ") + std::strerror(failure), arguments.front());
  }
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
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace rubric
