#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"

namespace rubric {

namespace fs = std::filesystem;

namespace {

// Takes a lock that ends with the process; negative when another process holds it or the directory
// is gone.
int lock_directory(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

void remove_abandoned_directories(const fs::path& directory) {
  std::error_code ignored;  // if the parent cannot be listed, creating the directory fails below
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory.parent_path(), ignored)) {
    if (entry.path().filename().string().starts_with(partial_prefix(directory))) {
      found.push_back(entry.path());
    }
  }
  for (const fs::path& partial : found) {
    const int lock = lock_directory(partial);
    if (lock < 0) continue;
    fs::remove_all(partial, ignored);
    close(lock);
  }
}

// The absolute path without trailing slash.
fs::path place_of(const fs::path& directory) {
  const fs::path place = fs::absolute(directory).lexically_normal();
  return place.has_filename() ? place : place.parent_path();
}

}  // namespace

AtomicDirectory::AtomicDirectory(const fs::path& directory) : directory_(place_of(directory)) {
  std::error_code unreadable;  // a path that cannot be inspected cannot be written either
  if (fs::exists(fs::symlink_status(directory_, unreadable)) &&
      !(fs::is_directory(directory_, unreadable) && fs::is_empty(directory_, unreadable))) {
    throw InputError("there is something of this name already", directory.string(),
                     "name another directory, or delete this one first");
  }
  if (!fs::is_directory(directory_.parent_path(), unreadable)) {
    throw InputError("the parent directory does not exist", directory.string(),
                     "make it first: mkdir -p " + directory_.parent_path().string());
  }
  remove_abandoned_directories(directory_);
  partial_ = partial_path(directory_);
  std::error_code error;
  if (!fs::create_directory(partial_, error)) {
    throw Error("cannot create a directory here: " + error.message(), directory.string(),
                "choose another place");
  }
  lock_ = lock_directory(partial_);  // no lock on file systems without locks
}

AtomicDirectory::~AtomicDirectory() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
  if (lock_ >= 0) close(lock_);
}

void AtomicDirectory::commit() {
  sync_directory(partial_);
  if (std::rename(partial_.c_str(), directory_.c_str()) != 0) {
    throw Error(std::string("cannot rename the directory: ") + std::strerror(errno),
                directory_.string(), "choose another place");
  }
  partial_.clear();
  sync_directory(directory_.parent_path());
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (fs::temp_directory_path() / "rubric-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw Error("cannot create a temporary directory", name);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rubric
