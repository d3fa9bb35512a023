#include "core/system/line_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/process.h"
#include "core/system/signals.h"
#include "core/text/utf8.h"

namespace rubric {
namespace {

int opened(int descriptor) {
  if (descriptor >= 0) return descriptor;
  throw Error(std::string("cannot speak with another program: ") + std::strerror(errno));
}

}  // namespace

LineProcess::LineProcess(std::vector<std::string> arguments, std::chrono::milliseconds patience,
                         std::string what_to_do)
    : arguments_(std::move(arguments)), patience_(patience), what_to_do_(std::move(what_to_do)) {
  // A socket, as writing to it can be kept from raising SIGPIPE.
  int ends[2];
  opened(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
  socket_.value = ends[0];
  Descriptor theirs;
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

// What it has not done by now is not wanted. Its own children go with it.
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

// The next line, once all is sent. What comes meanwhile is taken at once, so that the program never
// waits for us while we wait for it.
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

// Until the socket takes or has bytes, or its other end is gone; which of them.
short LineProcess::await(short events) {
  if (child_ < 0) fail("the program has ended");
  const auto last = std::chrono::steady_clock::now() + patience_;
  do {
    end_if_stop_requested();
    constexpr int kMilliseconds = 50;  // after which a stop request is heard
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
  constexpr off_t kMost = 2000;  // bytes of its last words
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
