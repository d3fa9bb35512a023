// Where files lie that go to another program and come from it.
#pragma once

#include <filesystem>
#include <string>

namespace rubric {

// A new folder for temporary files that goes with everything in it. Throws Error.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace rubric
