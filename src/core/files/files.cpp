#include "core/files/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace rubric {
namespace {

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
    throw InputError("a directory, where a file is needed", path.string());
  }
}

}  // namespace

bool is_there(const std::filesystem::path& path, const std::string& what_to_do) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::status_known(status)) return std::filesystem::exists(status);
  throw InputError("cannot look at it: " + error.message(), path.string(), what_to_do);
}

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

bool is_same_file(const std::filesystem::path& a,
                  const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  std::error_code ignored, no_place_a, no_place_b;  // a pipe has a name but no canonical path
  if (fs::is_other(fs::status(a, ignored))) return false;
  const fs::path place_a = fs::weakly_canonical(fs::absolute(a), no_place_a);
  const fs::path place_b = fs::weakly_canonical(fs::absolute(b), no_place_b);
  return !no_place_a && !no_place_b && place_a == place_b;
}

void require_writable(const std::filesystem::path& file, const std::string& where) {
  namespace fs = std::filesystem;
  if (file.empty()) return;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  const fs::file_status folder_status = fs::status(folder, error);
  if (folder_status.type() == fs::file_type::none) {  // it cannot be determined whether it exists
    throw InputError("cannot write there: " + error.message(), where, "choose another folder");
  }
  if (!fs::is_directory(folder_status)) {
    throw InputError("the folder of the file to write does not exist", where,
                     "make it first: mkdir -p " + folder.string());
  }
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::none) throw InputError(error.message(), where);
  if (fs::is_directory(status)) {
    throw InputError("a folder, where a file is to be written", where, "name a file in it");
  }
  // A file is replaced by renaming, which needs a writable directory; a device is written to.
  const fs::path target = fs::is_other(status) ? file : folder;
  if (access(target.c_str(), W_OK) != 0) {
    throw InputError("cannot write there: " + std::string(std::strerror(errno)), where,
                     "choose another folder");
  }
}

void require_replaces_none(const std::filesystem::path& file,
                           std::span<const std::filesystem::path> others,
                           const std::string& where) {
  for (const std::filesystem::path& other : others) {
    if (file.empty() || other.empty() || !is_same_file(file, other)) continue;
    throw InputError("this would replace " + other.string(), where, "name another file");
  }
}

std::filesystem::path program_directory() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace rubric
