#include "train/run_directory.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "data/rows.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_log_error(const fs::path& run) {
  throw Error(std::string("cannot write: ") + std::strerror(errno), (run / "log.jsonl").string(),
              write_advice(errno));
}

[[noreturn]] void throw_rename_error(const fs::path& target) {
  throw Error(std::string("cannot rename into place: ") + std::strerror(errno), target.string());
}

constexpr const char* kAside = ".replaced";  // the end of a folder's name while another takes it

// Puts in order what an earlier start was doing when it was killed: what it wrote is removed, and
// what it set aside is put back where nothing has taken its place.
void put_in_order(const fs::path& directory) {
  if (!fs::is_directory(directory)) return;
  std::vector<fs::path> partial, aside;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const fs::path& path = entry.path();
    if (path.filename().string().find(".partial-") != std::string::npos) partial.push_back(path);
    if (path.extension() == kAside) aside.push_back(path);
  }
  for (const fs::path& path : partial) fs::remove_all(path);
  for (const fs::path& path : aside) {
    const fs::path target = fs::path(path).replace_extension();
    if (fs::exists(target)) {
      fs::remove_all(path);
    } else {
      fs::rename(path, target);
    }
  }
}

// Gives the folder `made` the name `target`, which another folder has; where that is then. Nobody
// sees a moment without `target`, unless the file system cannot exchange names (NFS, for one).
fs::path exchange(const fs::path& made, const fs::path& target) {
  if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    return made;
  }
  if (errno != EINVAL && errno != ENOSYS) throw_rename_error(target);
  const fs::path aside = target.string() + kAside;
  if (rename(target.c_str(), aside.c_str()) != 0 || rename(made.c_str(), target.c_str()) != 0) {
    throw_rename_error(target);
  }
  return aside;
}

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory)
    : descriptor_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw InputError(std::string("cannot open the output directory: ") + std::strerror(errno),
                     directory.string(), "choose another folder with --output");
  }
  // File systems without locks go without.
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw InputError("another process is training in the output directory", directory.string(),
                   "wait for it, or choose another folder with --output");
}

DirectoryLock::~DirectoryLock() {
  close(descriptor_);
}

RunDirectory::RunDirectory(const TrainConfig& config, const Json& inputs, Resume resume)
    : path_(config.output) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw InputError("cannot make the output directory: " + error.message(), path_.string(),
                     "choose another folder with --output");
  }
  lock_.emplace(path_);
  holds_run(config, inputs, resume);
  for (const char* folder : {"", "checkpoints", "predictions"}) put_in_order(path_ / folder);
  write_identity(config, inputs);
  open_log();
}

void RunDirectory::open_log() {
  log_.open(path_ / "log.jsonl", std::ios::app | std::ios::binary);
  if (!log_) throw_log_error(path_);
}

void RunDirectory::log(const Json& event) {
  log_ << event.dump() << '\n' << std::flush;
  if (!log_) throw_log_error(path_);
}

void RunDirectory::sync_log() const {
  const int descriptor = open((path_ / "log.jsonl").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_log_error(path_);
  const int failure = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  if (failure == 0) return;
  errno = failure;
  throw_log_error(path_);
}

void RunDirectory::save_predictions(const std::string& split, const std::vector<Json>& rows) {
  fs::create_directories(path_ / "predictions");
  write_rows(path_ / "predictions" / (split + ".jsonl"), rows);
}

fs::path RunDirectory::begin_directory(const std::string& name) const {
  const fs::path partial = partial_path(path_ / name);
  fs::create_directories(partial);
  return partial;
}

void RunDirectory::publish_directory(const fs::path& partial, const std::string& name) const {
  sync_directory(partial);
  const fs::path target = path_ / name;
  // A folder cannot be renamed over one that is not empty, and what is replaced may be all that
  // there is: the only checkpoint, saved again with the validation that was due.
  fs::path earlier;
  if (fs::exists(target)) {
    earlier = exchange(partial, target);
  } else if (rename(partial.c_str(), target.c_str()) != 0) {
    throw_rename_error(target);
  }
  sync_directory(target.parent_path());
  if (!earlier.empty()) fs::remove_all(earlier);
}

void RunDirectory::cut_log(int64_t events) {
  const fs::path file = path_ / "log.jsonl";
  log_.close();
  std::string text = read_file(file);
  size_t end = 0;
  for (; events > 0; --events) {
    const size_t line_end = text.find('\n', end);
    if (line_end == std::string::npos) break;  // the interruption tore this line
    end = line_end + 1;
  }
  text.resize(end);
  write_file(file, text);
  open_log();
}

}  // namespace rubric
