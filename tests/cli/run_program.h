// Starts the built programs as a user does, and tells how they ended.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/json/json.h"
#include "messages.h"
#include "paths.h"
#include "rubric/version.h"
#include "temporary_folder.h"

namespace rubric {

struct Outcome {
  int code = -1;   // exit code; -1: ended by a signal
  int signal = 0;  // that signal
  std::string out, err;
};

// Variables to set besides those of the test itself; "" takes one away.
using Environment = std::map<std::string, std::string>;

// A program of the build, running in the repository's root.
class Process {
 public:
  // arguments[0] is the program's name, such as "score" or "rubric".
  explicit Process(std::vector<std::string> arguments, const Environment& environment = {})
      : out_(memfd_create("stdout", MFD_CLOEXEC)), err_(memfd_create("stderr", MFD_CLOEXEC)) {
    const std::string program = std::string(programs_folder()) + "/" + arguments[0];
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ != 0) return;
    for (const auto& [name, value] : environment) {
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    }
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out_, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
    if (chdir(source_folder()) == 0) execv(program.c_str(), argv.data());
    _exit(127);
  }
  ~Process() {
    if (child_ > 0) {
      send(SIGKILL);
      wait();
    }
    close(out_);
    close(err_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const { kill(child_, signal); }

  // Whether one of its threads is called that, of its first 15 characters.
  bool has_thread(const std::string& name) const {
    std::error_code gone;
    const std::string tasks = "/proc/" + std::to_string(child_) + "/task";
    for (std::filesystem::directory_iterator task(tasks, gone), end; !gone && task != end;
         task.increment(gone)) {
      std::ifstream comm(task->path() / "comm");
      std::string line;
      if (std::getline(comm, line) && line == name.substr(0, 15)) return true;
    }
    return false;
  }

  // Whether it does something of its own when the signal comes.
  bool catches(int signal) const {
    std::ifstream status("/proc/" + std::to_string(child_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (!line.starts_with("SigCgt:")) continue;
      return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) == 1;
    }
    return false;
  }

  bool ended() const {  // without taking its outcome
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  }

  Outcome wait() {
    Outcome outcome;
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    outcome.out = content(out_);
    outcome.err = content(err_);
    return outcome;
  }

 private:
  static std::string content(int file) {
    std::string text(static_cast<size_t>(lseek(file, 0, SEEK_END)), '\0');
    const ssize_t size = pread(file, text.data(), text.size(), 0);
    text.resize(static_cast<size_t>(std::max<ssize_t>(size, 0)));
    return text;
  }

  int out_, err_;
  pid_t child_ = -1;
};

inline std::vector<std::string> joined(std::vector<std::string> arguments,
                                       const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

inline Outcome run(const std::vector<std::string>& arguments, const Environment& environment = {}) {
  return Process(arguments, environment).wait();
}

// The outcome of a command that must succeed.
inline Outcome done(Outcome outcome,
                    std::source_location caller = std::source_location::current()) {
  EXPECT_EQ(outcome.code, 0) << caller.file_name() << ":" << caller.line() << ": signal "
                             << outcome.signal << "\n"
                             << outcome.err;
  return outcome;
}

// What it prints with --format json.
inline Json printed_json(const Outcome& outcome,
                         std::source_location caller = std::source_location::current()) {
  return Json::parse(done(outcome, caller).out, "stdout");
}

// "librubric.so.0.1" for "librubric".
inline std::string library_file(const std::string& name) {
  const std::string version = kVersion;
  return name + ".so." + version.substr(0, version.rfind('.'));
}

// Copies the program and its libraries to bin/ and lib/ of a folder. Returns the program's path.
inline std::string copy_program(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  for (const char* const name : {"bin", "lib"}) fs::create_directories(folder / name);
  const fs::path bin = programs_folder(), lib = bin.parent_path() / "lib";
  fs::copy_file(bin / "rubric", folder / "bin/rubric");
  for (const char* const name : {"librubric", "librubric-neural"}) {
    const std::string file = library_file(name);
    if (fs::exists(lib / file)) fs::copy_file(lib / file, folder / "lib" / file);
  }
  return folder / "bin/rubric";
}

// One clear message as the last thing on stderr, with `parts` in it, and no results. A message
// about wrong input says what to do.
inline void expect_message(const Outcome& outcome, int code,
                           const std::vector<std::string>& parts) {
  constexpr int64_t kMostLines = 8;
  EXPECT_EQ(outcome.code, code) << "signal " << outcome.signal << "\n" << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const std::string label = code == 75 ? "\nwarning: " : "\nerror: ";
  // Other warnings may stand above that of a stop.
  const std::string lines = "\n" + outcome.err;
  const size_t begin = code == 75 ? lines.rfind(label) : lines.find(label);
  ASSERT_NE(begin, std::string::npos) << outcome.err;
  EXPECT_LE(
      std::count(outcome.err.begin() + static_cast<std::ptrdiff_t>(begin), outcome.err.end(), '\n'),
      kMostLines)
      << outcome.err;
  for (const std::string& part : parts) expect_contains(outcome.err, part);
  if (code == 2) expect_contains(outcome.err, "\n  to do: ");
}

}  // namespace rubric
