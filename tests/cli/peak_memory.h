// How much memory a call of a program takes.
#pragma once

#include <csignal>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "paths.h"

namespace rubric {

// Returns the most memory that the call held, in KiB; nothing where processes may not be traced, as
// in some containers, and under sanitizers, whose leak check fails in a traced process. It is read
// where the process stops for its tracer, this one, just before its memory goes; rusage would count
// what this process had at fork().
inline std::optional<int64_t> peak_memory(const std::vector<std::string>& call) {
  constexpr int kUntraced = 126;
  const std::string program = std::string(programs_folder()) + "/" + call[0];
  std::vector<const char*> argv;
  for (const std::string& argument : call) argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    for (const int file : {STDOUT_FILENO, STDERR_FILENO}) dup2(open("/dev/null", O_WRONLY), file);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(kUntraced);
    execv(program.c_str(), const_cast<char* const*>(argv.data()));
    _exit(127);
  }
  int64_t peak = 0, addresses = 0;
  int status = 0;
  waitpid(child, &status, 0);  // at execv()
  if (WIFEXITED(status) && WEXITSTATUS(status) == kUntraced) return std::nullopt;
  // If this process ends first the other is killed, not left stopped.
  constexpr long kOptions = PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL;
  if (WIFSTOPPED(status) && ptrace(PTRACE_SETOPTIONS, child, nullptr, kOptions) != 0) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return std::nullopt;
  }
  for (int signal = 0; WIFSTOPPED(status); waitpid(child, &status, 0)) {
    signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    std::ifstream lines("/proc/" + std::to_string(child) + "/status");
    for (std::string name; lines >> name;) {
      if (name == "VmHWM:") lines >> peak;
      if (name == "VmPeak:") lines >> addresses;
    }
    ptrace(PTRACE_CONT, child, nullptr, signal);
  }
  constexpr int64_t kOfSanitizers = int64_t{1} << 30;  // a terabyte, in KiB
  if (addresses > kOfSanitizers) return std::nullopt;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  return peak;
}

}  // namespace rubric
