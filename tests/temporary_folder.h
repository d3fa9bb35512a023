// A folder of one test's own.
#pragma once

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "core/files/files.h"

namespace rubric {

namespace fs = std::filesystem;

// An empty folder that goes when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count = 0;
    path_ = fs::temp_directory_path() /
            ("rubric-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    fs::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

  std::string file(const std::string& name) const { return (path_ / name).string(); }

  std::vector<std::string> names() const {  // of what lies in it, sorted
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // Writes a file in it, in a folder of its own where `name` has one.
  fs::path write(const std::string& name, std::string_view bytes) const {
    fs::create_directories((path_ / name).parent_path());
    write_file(path_ / name, bytes);
    return path_ / name;
  }

 private:
  fs::path path_;
};

}  // namespace rubric
