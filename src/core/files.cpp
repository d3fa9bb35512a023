#include "core/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace rubric {
namespace {

constexpr size_t kWriteBuffer = size_t{1} << 20;

void require_readable_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw InputError("no such file", path.string());
  }
  if (!std::filesystem::exists(status)) {
    throw InputError("cannot open: " + error.message(), path.string());
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError("a folder, where a file is needed", path.string());
  }
}

[[noreturn]] void throw_write_error(const std::filesystem::path& path) {
  throw Error(std::string("cannot write: ") + std::strerror(errno), path.string(),
              "free some space or choose another folder, then start again");
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  require_readable_file(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw InputError(std::string("cannot open: ") + std::strerror(errno), path.string());
  }
  std::string bytes;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error) bytes.reserve(size);
  char block[1 << 16];
  while (stream.read(block, sizeof(block)) || stream.gcount() > 0) {
    bytes.append(block, static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad()) throw InputError("cannot read", path.string());
  return bytes;
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (std::filesystem::is_other(status)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (std::filesystem::is_symlink(path_, error) && std::filesystem::exists(status)) {
      path_ = std::filesystem::canonical(path_);
    }
    temporary_ = path_;
    temporary_ += ".partial-" + std::to_string(getpid());
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (descriptor_ < 0) throw_write_error(path_);
  buffer_.reserve(kWriteBuffer);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
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
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(path_);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void AtomicFile::commit() {
  flush_buffer();
  if (temporary_.empty()) {
    if (close(std::exchange(descriptor_, -1)) != 0) throw_write_error(path_);
    return;
  }
  if (fsync(descriptor_) != 0) throw_write_error(path_);
  const int closed = close(std::exchange(descriptor_, -1));
  if (closed != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) {
    unlink(temporary_.c_str());
    throw_write_error(path_);
  }
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
  if (descriptor < 0) return;  // a folder that cannot be opened has nothing to flush
  fsync(descriptor);
  close(descriptor);
}

LineReader::LineReader(const std::filesystem::path& path) : path_(path) {
  require_readable_file(path);
  stream_.open(path, std::ios::binary);
  if (!stream_) {
    throw InputError(std::string("cannot open: ") + std::strerror(errno), path.string());
  }
}

bool LineReader::next(std::string& line) {
  if (!std::getline(stream_, line)) {
    if (stream_.bad()) throw InputError("cannot read", where());
    return false;
  }
  ++line_number_;
  if (line_number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

std::string LineReader::where() const {
  return path_.string() + ":" + std::to_string(line_number_);
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  require_readable_file(path);
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    const std::string reason = std::strerror(errno);
    if (descriptor >= 0) close(descriptor);
    throw InputError("cannot open: " + reason, path.string());
  }
  if (!S_ISREG(status.st_mode)) {
    close(descriptor);
    throw InputError("a pipe or device, where a file is needed", path.string(),
                     "write it to a file first");
  }
  size_ = static_cast<size_t>(status.st_size);
  if (size_ > 0) {
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) {
      const std::string reason = std::strerror(errno);
      close(descriptor);
      throw InputError("cannot map into memory: " + reason, path.string());
    }
    data_ = static_cast<const char*>(mapped);
  }
  close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
}

std::filesystem::path program_directory() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace rubric
