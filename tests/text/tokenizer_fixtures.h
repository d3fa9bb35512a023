// What the tests of tokenizers share: the fixtures, and folders with files of their own.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"

namespace rubric {

inline std::filesystem::path tokenizer_fixture(const std::string& name) {
  return std::filesystem::path(RUBRIC_FIXTURES) / "tokenizer" / name;
}

// An empty folder that goes when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("rubric-text-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    write_file(path_ / name, bytes);
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The message of the InputError that `action` ends with; "" when it throws nothing.
inline std::string input_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline void expect_says(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "no \"" << part << "\" in: " << message;
  }
}

// codepoints.json gives sets of characters as ranges [first, last].
inline bool in_ranges(const Json& ranges, char32_t c) {
  for (const Json& range : ranges.array()) {
    if (c < static_cast<char32_t>(range.array()[0].number())) return false;
    if (c <= static_cast<char32_t>(range.array()[1].number())) return true;
  }
  return false;
}

inline bool is_surrogate(char32_t c) {
  return c >= 0xD800 && c < 0xE000;
}

}  // namespace rubric
