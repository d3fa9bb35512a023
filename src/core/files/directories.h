// A folder that appears whole or not at all.
#pragma once

#include <filesystem>

namespace rubric {

// Its files are made in path(), beside the folder's place; commit() gives it its name. Without
// commit() (an exception, say) nothing remains; what a killed process of this machine left of an
// earlier attempt is removed when the next one begins.
class AtomicDirectory {
 public:
  // Throws InputError when something else than an empty folder has the name already, or when its
  // parent is missing; Error when the parent cannot be written.
  explicit AtomicDirectory(const std::filesystem::path& directory);
  ~AtomicDirectory();
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;

  const std::filesystem::path& path() const { return partial_; }
  void commit();

 private:
  std::filesystem::path directory_, partial_;
  int lock_ = -1;
};

}  // namespace rubric
