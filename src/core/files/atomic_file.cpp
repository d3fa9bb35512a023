#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"

namespace rubric {

namespace {

constexpr size_t kWriteBuffer = size_t{1} << 20;

constexpr const char* kCannotWrite = "cannot write";

}  // namespace

std::string write_advice(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space or choose another directory, then start again";
    case EACCES:
    case EPERM:
      return "choose a directory that you may write to, or change its permissions";
    default:
      return "choose another directory, then start again";
  }
}

void throw_write_error(const std::string& what, const std::filesystem::path& path) {
  const int error = errno;
  throw Error(what + ": " + std::strerror(error), path.string(), write_advice(error));
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void make_directories(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) return;
  throw Error("cannot create the directory: " + error.message(), directory.string(),
              write_advice(error.value()));
}

std::string partial_prefix(const std::filesystem::path& path) {
  char host[HOST_NAME_MAX + 1] = {};
  gethostname(host, sizeof(host) - 1);
  constexpr size_t kDigits = 16;  // of a hash: host names are long and differ at their ends
  return path.filename().string() + ".partial-" + sha256(host).substr(0, kDigits) + "-";
}

std::filesystem::path partial_path(const std::filesystem::path& path) {
  uint64_t number = 0;
  if (getrandom(&number, sizeof(number), 0) != sizeof(number))
    throw_write_error(kCannotWrite, path);
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(number));
  return path.parent_path() / (partial_prefix(path) + digits);
}

std::filesystem::path resolve_link(const std::filesystem::path& path) {
  constexpr int kMostLinks = 40;  // the kernel's limit
  std::filesystem::path target = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(target, error); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target);
  }
  return target;
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  if (path_ == kStandardOutput) {  // even if it is a file: a shell may write more to it
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) throw_write_error(kCannotWrite, path_);
  } else if (std::filesystem::is_other(std::filesystem::status(path_, error))) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw_write_error(kCannotWrite, path_);
  } else {
    path_ = resolve_link(path_);
    remove_abandoned_files(path_);
    open_partial();
  }
  buffer_.reserve(kWriteBuffer);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

void AtomicFile::open_partial() {
  for (;;) {
    partial_ = partial_path(path_);
    descriptor_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw_write_error(kCannotWrite, path_);
    flock(descriptor_, LOCK_EX);  // no lock on file systems without locks
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw_write_error(kCannotWrite, path_);
    if (status.st_nlink > 0) return;
    // Another process removed it as abandoned before it was locked.
    close(std::exchange(descriptor_, -1));
  }
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kWriteBuffer) flush_buffer();
  if (bytes.size() > kWriteBuffer) {
    write_through(bytes);
  } else {
    buffer_.append(bytes);
  }
}

void AtomicFile::flush_buffer() {
  write_through(buffer_);
  buffer_.clear();
}

void AtomicFile::write_through(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) throw_write_error(kCannotWrite, path_);
}

void AtomicFile::commit() {
  flush_buffer();
  if (partial_.empty()) {
    if (close(std::exchange(descriptor_, -1)) != 0) throw_write_error(kCannotWrite, path_);
    return;
  }
  // Renames before closing: the lock protects the file from being removed as abandoned.
  if (fsync(descriptor_) != 0 || rename(partial_.c_str(), path_.c_str()) != 0) {
    throw_write_error(kCannotWrite, path_);
  }
  close(std::exchange(descriptor_, -1));  // fsync has reported all failures
  sync_directory(path_.parent_path());
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void sync_directory(const std::filesystem::path& directory) {
  const int descriptor =
      open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a directory that cannot be opened has nothing to flush
  fsync(descriptor);
  close(descriptor);
}

// The writer of a temporary file holds a lock on it, which the kernel releases when the process
// ends. Its name contains the host because on a shared file system locks may be visible only to
// their own machine.
void remove_abandoned_files(const std::filesystem::path& path) {
  const std::string prefix = partial_prefix(path);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::filesystem::path> found;
  std::error_code ignored;  // if the directory cannot be listed, opening the file fails below
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  for (const std::filesystem::path& partial : found) {
    const int descriptor = open(partial.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;  // removed meanwhile, or of another user
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(partial.c_str());
    close(descriptor);
  }
}

}  // namespace rubric
