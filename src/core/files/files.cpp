#include "core/files/files.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/gzip.h"
#include "core/system/process.h"
#include "core/text/utf8.h"

namespace rubric {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kGzipMagic = "\x1F\x8B", kUtf8Mark = "\xEF\xBB\xBF",
                           kLittleEndian = "\xFF\xFE", kBigEndian = "\xFE\xFF";

// The text behind the mark, which says which of a unit's two bytes is first.
std::string from_utf16(std::string_view bytes, const std::string& where) {
  const size_t low = bytes.starts_with(kLittleEndian) ? 0 : 1;
  const auto unit_at = [&](size_t i) {
    return static_cast<char32_t>(static_cast<uint8_t>(bytes[i + low]) |
                                 static_cast<uint8_t>(bytes[i + 1 - low]) << 8);
  };
  constexpr char32_t kHigh = 0xD800, kLow = 0xDC00, kEnd = 0xE000, kSecondPlane = 0x10000;
  const auto fail = [&](size_t i) {
    return InputError("broken UTF-16 at byte " + std::to_string(i), where,
                      "convert the file to UTF-8");
  };
  if (bytes.size() % 2 != 0) throw fail(bytes.size() - 1);
  std::string text;
  for (size_t i = 2; i < bytes.size(); i += 2) {
    char32_t character = unit_at(i);
    if (character >= kHigh && character < kEnd) {
      const char32_t second = i + 2 < bytes.size() ? unit_at(i + 2) : 0;
      if (character >= kLow || second < kLow || second >= kEnd) throw fail(i);
      character = kSecondPlane + ((character - kHigh) << 10) + (second - kLow);
      i += 2;
    }
    append_utf8(character, text);
  }
  return text;
}

// The shortest beginning of the path at which there is nothing: a folder of it, or all of it.
fs::path first_missing(const fs::path& path) {
  std::error_code error;  // what cannot be looked at counts as missing
  fs::path at = path;
  while (!at.parent_path().empty() && !fs::exists(at.parent_path(), error)) at = at.parent_path();
  return at;
}

fs::path folder_of(const fs::path& path) {
  return path.parent_path().empty() ? "." : path.parent_path();
}

std::string advice_on_missing(const fs::path& missing) {
  if (std::string nearest = nearest_path(missing); !nearest.empty()) return nearest;
  const fs::path at = first_missing(missing), folder = folder_of(at);
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return "check the path: " + folder.string() + " is no folder";
  }
  if (at == missing) return "check the path";
  return "check the path: there is no folder " + at.string() +
         (at.is_absolute() ? "" : " in " + fs::current_path(error).string());
}

// What a repository holds in the place of a large file, until Git LFS fetches that.
bool is_git_lfs_pointer(const fs::path& path, const fs::file_status& status) {
  constexpr std::string_view kStart = "version https://git-lfs.github.com/spec/";
  constexpr uintmax_t kMostBytes = 1024;  // by its specification
  std::error_code error;
  if (!fs::is_regular_file(status) || fs::file_size(path, error) > kMostBytes) return false;
  std::string start(kStart.size(), '\0');
  return std::ifstream(path, std::ios::binary).read(start.data(), std::ssize(start)) &&
         start == kStart;
}

// Of a pipe that another user made, which is open and cannot be opened again by its name.
std::string read_standard_input() {
  std::string bytes;
  char block[1 << 16];
  ssize_t size = 0;
  while ((size = read(STDIN_FILENO, block, sizeof(block))) != 0) {
    if (size > 0) bytes.append(block, static_cast<size_t>(size));
    if (size < 0 && errno != EINTR) {
      throw InputError(std::string("cannot read: ") + std::strerror(errno), kStandardInput,
                       "give the file's name in place of -");
    }
  }
  return bytes;
}

}  // namespace

std::vector<std::string> names_in(const fs::path& folder, fs::file_type type) {
  constexpr int kMostEntries = 1000;
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (int i = 0; !error && entry != fs::directory_iterator() && i < kMostEntries; ++i) {
    std::error_code unreadable;
    std::string name = entry->path().filename().string();
    if (entry->status(unreadable).type() == type &&
        find_invalid_text(name) == std::string_view::npos) {
      names.push_back(std::move(name));
    }
    entry.increment(error);
  }
  std::ranges::sort(names);
  return names;
}

std::string nearest_path(const fs::path& missing, fs::file_type type) {
  if (missing.native().size() > PATH_MAX) return "";
  const fs::path at = first_missing(missing);
  std::error_code error;
  if (fs::is_symlink(at, error) && fs::status(at, error).type() == fs::file_type::not_found) {
    return "the symbolic link " + at.string() + " leads nowhere: mend it, or fetch it again";
  }
  const std::string rest = missing.string().substr(at.string().size());
  const std::string nearest =
      nearest_name(at.filename().string(),
                   names_in(folder_of(at), rest.empty() ? type : fs::file_type::directory));
  if (nearest.empty()) return "";
  const fs::path meant = at.parent_path() / nearest;
  return fs::exists(meant.string() + rest, error)
             ? "did you mean " + meant.string() + rest + "?"
             : "there is no folder " + at.string() + ": did you mean " + meant.string() + "?";
}

bool is_there(const std::filesystem::path& path, const std::string& what_to_do) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::status_known(status)) return std::filesystem::exists(status);
  throw InputError("cannot look at it: " + error.message(), path.string(), what_to_do);
}

void require_readable_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw InputError("no such file", path.string(), advice_on_missing(path));
  }
  if (!std::filesystem::exists(status)) {
    throw InputError("cannot open: " + error.message(), path.string(),
                     "check the path, and who may read it");
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError("a directory, where a file is needed", path.string(), "name a file in it");
  }
  if (is_git_lfs_pointer(path, status)) {
    throw InputError("only Git LFS's pointer to the file is there, not the file", path.string(),
                     "run `git lfs pull` in its repository, or download the file itself");
  }
}

std::string read_file(const std::filesystem::path& path) {
  require_readable_file(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream && path == kStandardInput) return read_standard_input();
  if (!stream) {
    throw InputError(std::string("cannot open: ") + std::strerror(errno), path.string(),
                     "check the path, and who may read it");
  }
  std::string bytes;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error) bytes.reserve(size);
  char block[1 << 16];
  while (stream.read(block, sizeof(block)) || stream.gcount() > 0) {
    bytes.append(block, static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad())
    throw InputError("cannot read", path.string(), "check the disk, or copy the file again");
  return bytes;
}

bool is_plain_text(const std::filesystem::path& path) {
  char start[2] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof(start));
  const std::string_view mark(start, sizeof(start));
  return mark != kGzipMagic && mark != kLittleEndian && mark != kBigEndian;
}

std::filesystem::path without_gz(std::filesystem::path path) {
  return path.extension() == ".gz" ? path.replace_extension() : path;
}

void require_no_pipe(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::filesystem::file_type type = std::filesystem::status(path, unknown).type();
  if (type != std::filesystem::file_type::fifo && type != std::filesystem::file_type::character &&
      type != std::filesystem::file_type::socket) {
    return;
  }
  throw InputError("this is not a file but a pipe or a device", path.string(),
                   "write what it gives to a file, and name that");
}

std::string read_text(const std::filesystem::path& path) {
  std::string bytes = read_file(path);
  if (bytes.starts_with(kGzipMagic)) bytes = gunzip(bytes, path.string());
  if (bytes.starts_with(kLittleEndian) || bytes.starts_with(kBigEndian)) {
    return from_utf16(bytes, path.string());
  }
  if (bytes.starts_with(kUtf8Mark)) bytes.erase(0, kUtf8Mark.size());
  return bytes;
}

LineReader::LineReader(const std::filesystem::path& path) : path_(path) {
  require_readable_file(path);
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown) || !is_plain_text(path)) {
    stream_ = std::make_unique<std::istringstream>(read_text(path));
    return;
  }
  stream_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*stream_) {
    throw InputError(std::string("cannot open: ") + std::strerror(errno), path.string(),
                     "check the path, and who may read it");
  }
}

bool LineReader::next(std::string& line) {
  if (!std::getline(*stream_, line)) {
    if (stream_->bad())
      throw InputError("cannot read", where(), "check the disk, or copy the file again");
    return false;
  }
  ++line_number_;
  if (line_number_ == 1 && line.starts_with(kUtf8Mark)) line.erase(0, kUtf8Mark.size());
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
    throw InputError("cannot open: " + reason, path.string(),
                     "check the path, and who may read it");
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
      throw InputError("cannot map into memory: " + reason, path.string(),
                       "copy it to another disk");
    }
    data_ = static_cast<const char*>(mapped);
  }
  close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  std::error_code ignored, no_place_a, no_place_b;  // a pipe has a name but no canonical path
  if (fs::is_other(fs::status(a, ignored))) return false;
  const fs::path place_a = fs::weakly_canonical(fs::absolute(a), no_place_a);
  const fs::path place_b = fs::weakly_canonical(fs::absolute(b), no_place_b);
  if (!no_place_a && !no_place_b && place_a == place_b) return true;
  return fs::equivalent(a, b, ignored);  // a hard link; false when one is missing
}

void require_writable(const std::filesystem::path& file, const std::string& where) {
  namespace fs = std::filesystem;
  if (file.empty() || file == kStandardOutput) return;  // open already, whoever made it
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  const fs::file_status folder_status = fs::status(folder, error);
  if (folder_status.type() == fs::file_type::none) {  // it cannot be determined whether it exists
    throw InputError("cannot write there: " + error.message(), where, "choose another folder");
  }
  if (!fs::is_directory(folder_status)) {
    throw InputError("the folder of the file to write does not exist", where,
                     "make it first: mkdir -p " + shell_word(folder.string()));
  }
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::none)
    throw InputError(error.message(), where, "choose another folder");
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

std::filesystem::path file_of_code(const void* function) {
  Dl_info found{};
  if (dladdr(function, &found) == 0) return {};
  const std::filesystem::path file = found.dli_fname;
  return std::filesystem::canonical(file.parent_path()) / file.filename();
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace rubric
