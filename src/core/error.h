// The errors that end a command, with their exit codes, and helpers for the text of messages.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

enum ExitCode { kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 75 };

// Something went wrong while running (a full disk, a non-finite loss): exit code 1.
class Error : public std::runtime_error {
 public:
  // `where` names file, line, record or key; `what_to_do` is one imperative sentence. Both may be
  // empty. what() holds all three on separate lines.
  explicit Error(const std::string& what, const std::string& where = "",
                 const std::string& what_to_do = "");
};

// The user's input is invalid and nothing was started: exit code 2.
class InputError : public Error {
 public:
  using Error::Error;
};

// Stopped on request (SIGINT, SIGTERM) after saving everything: exit code 75.
class Interrupted : public Error {
 public:
  using Error::Error;
};

// Returns the candidate closest to `name` in edit distance, or "" when none is close enough.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// Makes an error to throw: "there is no KIND called NAME", with the nearest of `choices`.
InputError unknown_name(const std::string& kind, const std::string& name,
                        const std::vector<std::string>& choices, const std::string& where = "");

// The parts of an error on one line: "what; where: …; to do: …".
std::string one_line(const Error& error);

// Lists names for messages: "a, b, c".
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

// As join(), but lists at most ten names and then says how many there are in all.
std::string join_some(std::vector<std::string> parts, std::string_view separator = ", ");

}  // namespace rubric
