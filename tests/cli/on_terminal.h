// A program on a terminal of 30 lines by 100 columns, as a user sees it.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rubric::cli {

class OnTerminal {
 public:
  // words[0] is the program; it starts in `folder`, or where the test runs.
  explicit OnTerminal(std::vector<std::string> words, const std::string& folder = ".") {
    winsize size{30, 100, 0, 0};
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ != 0) return;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execvp(argv[0], argv.data());
    _exit(127);
  }
  ~OnTerminal() {
    if (child_ > 0) end(SIGKILL);
    close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  // Reads until it has shown the text since the last call; what it has shown.
  std::string read_until(const std::string& text) {
    std::string shown;
    pollfd ready{terminal_, POLLIN, 0};
    while (shown.find(text) == std::string::npos && poll(&ready, 1, 30'000) > 0) {
      char buffer[4096];
      const ssize_t size = read(terminal_, buffer, sizeof(buffer));
      if (size <= 0) break;
      shown.append(buffer, static_cast<size_t>(size));
    }
    EXPECT_NE(shown.find(text), std::string::npos) << text << "\nis not in\n" << shown;
    return shown;
  }

  void type(const std::string& keys) const {
    EXPECT_EQ(write(terminal_, keys.data(), keys.size()), std::ssize(keys));
  }

  int end(int signal = 0) {  // the exit code; -1: a signal ended it
    if (signal != 0) kill(child_, signal);
    char buffer[4096];
    while (read(terminal_, buffer, sizeof(buffer)) > 0) {
    }
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_ = -1;
  pid_t child_ = -1;
};

}  // namespace rubric::cli
