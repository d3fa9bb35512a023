#include "core/files/directories.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/process.h"

namespace rubric {

namespace fs = std::filesystem;

namespace {

constexpr size_t kReadBlock = size_t{1} << 20;

// Whether the error means that there is no such file, not that it is inaccessible.
bool is_no_file(int error) {
  return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == ENXIO;
}

// Of a checkpoint or a model of a run, whose files are written whole.
constexpr const char* kRestore = "copy the directory again from where it was written, or remove it";

// A file read with read(2). In a mapped file an I/O error or a concurrent truncation would raise a
// signal that ends the program.
class PlainFile {
 public:
  // Throws InputError when the file is missing or not a regular file (a symbolic link, say); Error
  // when it cannot be opened.
  explicit PlainFile(const std::string& path) : path_(path) {
    file_.value = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file_.value < 0 && errno == ENOENT) throw InputError("no such file", path, kRestore);
    if (file_.value < 0 && errno == ELOOP) refuse("a symbolic link");
    if (file_.value < 0 && is_no_file(errno)) refuse(std::strerror(errno));
    if (file_.value < 0) fail("cannot open: ");
    struct stat status {};
    if (fstat(file_.value, &status) != 0) fail("cannot open: ");
    if (S_ISDIR(status.st_mode)) refuse("a directory");
    if (!S_ISREG(status.st_mode)) refuse("a pipe or device");
    size_ = status.st_size;
  }

  int64_t size() const { return size_; }

  // Reads at most `count` bytes and returns their number; 0 at the end. Throws Error.
  size_t read(char* to, size_t count) const {
    ssize_t got = 0;
    do {
      got = ::read(file_.value, to, std::min(count, kReadBlock));
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail("cannot read: ");
    return static_cast<size_t>(got);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(what + ", where a file is needed", path_, "name a file");
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(what + std::strerror(errno), path_);
  }

  std::string path_;
  FileDescriptor file_;
  int64_t size_ = 0;
};

// The first `count` bytes; fewer if the file is shorter.
std::string read_bytes(const PlainFile& file, int64_t count) {
  std::string bytes(static_cast<size_t>(count), '\0');
  size_t end = 0;
  while (end < bytes.size()) {
    const size_t got = file.read(bytes.data() + end, bytes.size() - end);
    if (got == 0) break;
    end += got;
  }
  bytes.resize(end);
  return bytes;
}

struct Digest {
  int64_t bytes = 0;
  std::string sha256;
};

Digest digest_of(const PlainFile& file) {
  Digest digest;
  Sha256 hash;
  std::string block(kReadBlock, '\0');
  while (const size_t got = file.read(block.data(), block.size())) {
    hash.add(std::string_view(block).substr(0, got));
    digest.bytes += static_cast<int64_t>(got);
  }
  digest.sha256 = hash.digits();
  return digest;
}

bool is_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name != kSeal &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

}  // namespace

std::vector<std::string> list_directory(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) throw Error("cannot list the directory: " + error.message(), folder.string());
  std::ranges::sort(names);
  return names;
}

void seal_directory(const fs::path& folder, const std::vector<std::string>& names) {
  std::map<std::string, Json> records;  // sorted
  for (const std::string& name : names) {
    try {
      const Digest digest = digest_of(PlainFile((folder / name).string()));
      records[name]["bytes"] = digest.bytes;
      records[name]["sha256"] = digest.sha256;
    } catch (const InputError& error) {  // not a user error here
      const std::string what = error.what();
      throw Error("what was written is not there: " + what.substr(0, what.find('\n')),
                  (folder / name).string());
    }
  }
  const Json list = Json::Object(records.begin(), records.end());
  write_file(folder / kSeal, list.dump(2) + "\n");
}

SealedDirectory::SealedDirectory(fs::path folder) : folder_(std::move(folder)) {
  const std::string seal = path(kSeal);
  const PlainFile file(seal);
  const Json list = Json::parse(read_bytes(file, file.size()), seal);
  if (!list.is_object()) throw InputError("not a list of files", seal, kRestore);
  for (const auto& [name, record] : list.object()) {
    if (!is_name(name)) {
      throw InputError(json_quote(name) + " is not the name of a file", seal, kRestore);
    }
    records_[name] = {record.require_integer("bytes", seal), record.require_string("sha256", seal)};
  }
}

std::vector<std::string> SealedDirectory::names() const {
  std::vector<std::string> names;
  for (const auto& [name, record] : records_) names.push_back(name);
  return names;
}

void SealedDirectory::require_size(const std::string& name, int64_t bytes) const {
  const int64_t sealed = records_.at(name).bytes;
  if (bytes == sealed) return;
  throw InputError("the file has " + std::to_string(bytes) + " bytes, but " + kSeal + " says " +
                       std::to_string(sealed),
                   path(name), kRestore);
}

void SealedDirectory::require_hash(const std::string& name, const std::string& sha256) const {
  if (sha256 == records_.at(name).sha256) return;
  throw InputError(std::string("the file is damaged: its SHA-256 is not the one in ") + kSeal,
                   path(name), kRestore);
}

std::string SealedDirectory::read(const std::string& name) const {
  if (!records_.contains(name)) {
    throw InputError("the file is not listed in " + path(kSeal), path(name), kRestore);
  }
  const PlainFile file(path(name));
  require_size(name, file.size());  // before allocating memory
  std::string bytes = read_bytes(file, file.size());
  require_size(name, std::ssize(bytes));  // it may have been truncated meanwhile
  require_hash(name, sha256(bytes));
  return bytes;
}

void SealedDirectory::require_whole() const {
  for (const auto& [name, record] : records_) {
    const Digest found = digest_of(PlainFile(path(name)));
    require_size(name, found.bytes);
    require_hash(name, found.sha256);
  }
}

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
                     "make it first: mkdir -p " + shell_word(directory_.parent_path().string()));
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

std::filesystem::path user_cache() {
  fs::path cache = environment("XDG_CACHE_HOME");
  if (!cache.is_absolute()) cache = fs::path(environment("HOME")) / ".cache";
  return cache.is_absolute() ? cache / "rubric" : fs::path();
}

}  // namespace rubric
