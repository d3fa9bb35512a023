// A disk of 64 kB, to fill.
#pragma once

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "temporary_folder.h"

namespace rubric {

// While it lives, no file of this process and those it starts grows beyond `size` bytes: writing
// fails as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{size, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

// A file system of that size, mounted in a mount namespace of this process's own, so that nothing
// of it outlives the process; without the right to mount, a folder and a limit on its files.
class SmallDisk {
 public:
  SmallDisk() {
    mounted_ = unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("tmpfs", path().c_str(), "tmpfs", 0, "size=64k") == 0;
    if (!mounted_) limit_.emplace(64 << 10);
  }
  ~SmallDisk() {
    if (mounted_) umount2(path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  const std::filesystem::path& path() const { return folder_.path(); }

  // What the system says when it is full.
  std::string complaint() const { return mounted_ ? "No space left on device" : "File too large"; }

 private:
  TemporaryFolder folder_;
  bool mounted_ = false;
  std::optional<FileSizeLimit> limit_;
};

}  // namespace rubric
