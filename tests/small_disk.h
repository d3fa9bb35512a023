// A file system of a few pages, to fill.
#pragma once

#include <filesystem>
#include <string>

#include <sched.h>
#include <sys/mount.h>

#include "temporary_folder.h"

namespace rubric {

// Mounted in a mount namespace of this process's own, so that nothing of it outlives the process.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size) {
    mounted_ = unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("tmpfs", path().c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool is_mounted() const { return mounted_; }  // false without the right to mount
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  bool mounted_ = false;
};

}  // namespace rubric
