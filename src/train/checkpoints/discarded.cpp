#include "train/checkpoints/discarded.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

bool is_partial(const fs::path& path) {  // partial_path()'s, of any machine
  return path.filename().string().find(".partial-") != std::string::npos;
}

void try_to_delete(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return;
  log_warning("this is not needed, but cannot be deleted yet: " + path.string() + " (" +
              error.message() + "); the next checkpoint or start tries again");
}

}  // namespace

void discard(const fs::path& path) {
  fs::path nameless = path;
  if (!is_partial(path)) {
    nameless = partial_path(path);
    if (std::rename(path.c_str(), nameless.c_str()) != 0) {
      throw Error(std::string("cannot rename: ") + std::strerror(errno), path.string());
    }
  }
  try_to_delete(nameless);
}

void delete_discarded(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (is_partial(entry.path())) found.push_back(entry.path());
  }
  for (const fs::path& path : found) try_to_delete(path);
}

}  // namespace rubric
