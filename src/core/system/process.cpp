#include "core/system/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/context.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/text/utf8.h"

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

// Runs in the child between fork and exec, where only async-signal-safe calls are allowed. Returns,
// with errno set, only on failure.
void exec_child(char* const* argv, const std::function<bool()>& redirect_streams, pid_t parent) {
  // In its own process group, so that a signal to ours (from a terminal or a time limit) reaches it
  // only through us, once. It ends when we are killed.
  if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return;
  if (getppid() != parent) _exit(EXIT_FAILURE);
  if (redirect_streams()) execvp(argv[0], argv);
}

int opened(int descriptor) {
  if (descriptor >= 0) return descriptor;
  throw Error(std::string("cannot speak with another program: ") + std::strerror(errno));
}

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%…";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

pid_t start_process(const std::vector<std::string>& arguments,
                    const std::function<bool()>& redirect_streams) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int ends[2];  // exec closes it on success; else it carries errno
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    exec_child(argv.data(), redirect_streams, parent);
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
  bool is_stop_sent = false;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {
      throw Error(std::string("cannot wait for it: ") + std::strerror(errno), arguments.front());
    }
    if (is_stop_requested() && !std::exchange(is_stop_sent, true)) kill(child, SIGTERM);
    constexpr timespec kPause{0, 5'000'000};
    nanosleep(&kPause, nullptr);
  }
  return exit_status(status);
}

void end_with_parent() {
  constexpr const char* kVariable = "RUBRIC_PARENT";
  const std::string parent = environment(kVariable);
  if (parent.empty()) return;
  unsetenv(kVariable);
  // What the parent ignores or blocks is inherited.
  std::signal(SIGTERM, SIG_DFL);
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) {
    throw Error(std::string("cannot ask for the end of the parent: ") + std::strerror(errno));
  }
  if (std::to_string(getppid()) == parent) return;
  throw Interrupted("the process that started this one has ended", "process " + parent,
                    "start the same command again");
}

int exit_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

LineProcess::LineProcess(std::vector<std::string> arguments, std::chrono::milliseconds patience,
                         std::string what_to_do)
    : arguments_(std::move(arguments)), patience_(patience), what_to_do_(std::move(what_to_do)) {
  // A socket, because MSG_NOSIGNAL avoids SIGPIPE.
  int ends[2];
  opened(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
  socket_.value = ends[0];
  FileDescriptor theirs;
  theirs.value = ends[1];
  errors_.value = opened(memfd_create("errors", MFD_CLOEXEC));
  child_ = start_process(arguments_, [&] {
    return dup2(theirs.value, STDIN_FILENO) >= 0 && dup2(theirs.value, STDOUT_FILENO) >= 0 &&
           dup2(errors_.value, STDERR_FILENO) >= 0;
  });
}

LineProcess::~LineProcess() {
  if (child_ > 0) end();
}

// Kills the process and its children.
int LineProcess::end() {
  kill(-child_, SIGKILL);
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return exit_status(status);
}

std::string LineProcess::ask(std::string_view line) {
  constexpr size_t kShown = 60;
  asked_ = line.substr(0, kShown);
  return exchange(std::string(line) + "\n");
}

std::string LineProcess::read_line() {
  return exchange("");
}

// Sends everything and returns the next line. Reads while sending, so that the two processes never
// wait for each other.
std::string LineProcess::exchange(std::string_view unsent) {
  size_t size = received_.find('\n');
  while (!unsent.empty() || size == received_.npos) {
    const short ready = await(unsent.empty() ? POLLIN : POLLIN | POLLOUT);
    if ((ready & ~POLLOUT) != 0) {
      const size_t looked = received_.size();
      receive();
      if (size == received_.npos) size = received_.find('\n', looked);
    }
    if ((ready & POLLOUT) != 0) unsent.remove_prefix(send_some(unsent));
  }
  std::string line = received_.substr(0, size);
  received_.erase(0, size + 1);
  return line;
}

void LineProcess::receive() {
  std::array<char, 1 << 16> bytes;
  const ssize_t size = recv(socket_.value, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (size == 0 || (size < 0 && errno != EAGAIN)) fail_as_ended();
  received_.append(bytes.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
}

size_t LineProcess::send_some(std::string_view bytes) {
  const ssize_t size = send(socket_.value, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (size < 0 && errno != EAGAIN) fail_as_ended();
  return static_cast<size_t>(std::max<ssize_t>(size, 0));
}

// Waits until the socket is writable, readable or closed by the peer; returns which.
short LineProcess::await(short events) {
  if (child_ < 0) fail("the program has ended");
  const auto last = std::chrono::steady_clock::now() + patience_;
  do {
    end_if_stop_requested();
    constexpr int kMilliseconds = 50;  // interval of checks for a stop request
    pollfd socket{socket_.value, events, 0};
    if (poll(&socket, 1, kMilliseconds) > 0) return socket.revents;
  } while (std::chrono::steady_clock::now() < last);
  end();
  const auto seconds = std::chrono::duration<double>(patience_).count();
  fail("the program has not answered for " + Json(seconds).dump() + " s");
}

void LineProcess::fail_as_ended() {
  fail("the program ended with exit status " + std::to_string(end()));
}

void LineProcess::fail(const std::string& what) const {
  std::string message = what;
  if (!asked_.empty()) message += ", asked for " + repair_utf8(asked_) + "…";
  constexpr off_t kMost = 2000;  // bytes of stderr to show
  std::array<char, kMost> bytes;
  const off_t size = lseek(errors_.value, 0, SEEK_END);
  const ssize_t read =
      pread(errors_.value, bytes.data(), bytes.size(), std::max<off_t>(size - kMost, 0));
  if (read > 0) {
    message += ": " + repair_utf8(std::string_view(bytes.data(), static_cast<size_t>(read)));
    message.erase(message.find_last_not_of('\n') + 1);
  }
  throw Error(message, join(arguments_, " "), what_to_do_);
}

}  // namespace rubric
