// What tests of refused input share: the message, and what it must say.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace rubric {

// The message of the InputError that `call` ends with; "accepted" when it throws nothing.
inline std::string input_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// The three lines of an Error's message.
inline std::string error_lines(const std::string& what, const std::string& where,
                               const std::string& what_to_do = "") {
  return Error(what, where, what_to_do).what();
}

// What `call` writes to stderr.
inline std::string stderr_of(const std::function<void()>& call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_TRUE(holds(text, part)) << "no \"" << part << "\" in: " << text;
}

// All of `parts`.
inline void expect_says(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) expect_contains(text, part);
}

// None of `parts`.
inline void expect_lacks(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_FALSE(holds(text, part)) << part << " in: " << text;
}

}  // namespace rubric
