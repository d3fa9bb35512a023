// The errors of the library, with the exit codes of the commands that they end.
#pragma once

#include <stdexcept>
#include <string>

#include "rubric/export.h"

namespace rubric {

enum ExitCode { kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 75 };

// Something went wrong while running (a full disk, a non-finite loss): exit code 1.
class RUBRIC_PUBLIC Error : public std::runtime_error {
 public:
  // `where` names file, line, record or key; `what_to_do` is one imperative sentence. Both may be
  // empty. what() holds all three on separate lines.
  explicit Error(const std::string& what, const std::string& where = "",
                 const std::string& what_to_do = "");
};

// The user's input is invalid and nothing was started: exit code 2.
class RUBRIC_PUBLIC InputError : public Error {
 public:
  using Error::Error;
};

// Stopped on request (a cancelled token; SIGINT and SIGTERM of a program): exit code 75. A call
// that can resume has saved all that it needs.
class RUBRIC_PUBLIC Interrupted : public Error {
 public:
  using Error::Error;
};

}  // namespace rubric
