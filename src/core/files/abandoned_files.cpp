#include "core/files/abandoned_files.h"

#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/files/files.h"

namespace rubric {

// Whoever writes such a file holds a lock on it, which the kernel drops when the process ends; the
// host's name is in the file's because a lock on a shared file system may be seen by its own
// machine alone.
void remove_abandoned(const std::filesystem::path& path) {
  const std::string prefix = partial_prefix(path);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::filesystem::path> found;
  std::error_code ignored;  // a folder that cannot be listed fails where the file is opened
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  for (const std::filesystem::path& partial : found) {
    const int descriptor = open(partial.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;  // gone meanwhile, or another user's
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(partial.c_str());
    close(descriptor);
  }
}

}  // namespace rubric
