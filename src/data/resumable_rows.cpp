#include "data/resumable_rows.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStartAnew = "give the call that began it, or delete it to begin anew";

fs::path with_end(const fs::path& file, const char* end) {
  fs::path longer = file;
  longer += end;
  return longer;
}

[[noreturn]] void fail(const std::string& what, const fs::path& file) {
  const int error = errno;
  throw Error(what + ": " + std::strerror(error), file.string(), write_advice(error));
}

void require_same(const Json& identity, const fs::path& file, const fs::path& unfinished) {
  const Json before = Json::parse_file(file);
  for (const auto& [key, value] : identity.object()) {
    const std::string& earlier = before.require_string(key, file.string());
    if (earlier == value.string()) continue;
    throw InputError("the unfinished output was made with another " + key + ": " + earlier +
                         " there, " + value.string() + " now",
                     unfinished.string(), kStartAnew);
  }
}

}  // namespace

ResumableRows::ResumableRows(fs::path file, const Json& identity)
    : file_(std::move(file)),
      unfinished_(with_end(file_, ".unfinished")),
      identity_(with_end(file_, ".unfinished.json")) {
  descriptor_.value = open(unfinished_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_.value < 0) fail("the file cannot be written", unfinished_);
  if (flock(descriptor_.value, LOCK_EX | LOCK_NB) != 0) {
    throw InputError("another process is writing this output", unfinished_.string(),
                     "wait for it, or write to another file");
  }
  if (fs::file_size(unfinished_) == 0) {
    write_file(identity_, identity.dump(2) + "\n");
  } else if (is_there(identity_, kStartAnew)) {
    require_same(identity, identity_, unfinished_);
  } else {
    throw InputError("nothing says what the unfinished output was made from", unfinished_.string(),
                     "delete it, or write to another file");
  }
  keep_complete_lines();
}

ResumableRows::Descriptor::~Descriptor() {
  if (value >= 0) close(value);
}

// A killed process may have left a part of a line.
void ResumableRows::keep_complete_lines() {
  const std::string text = read_file(unfinished_);
  const size_t end = text.rfind('\n');
  const size_t complete = end == std::string::npos ? 0 : end + 1;
  done_ = std::count(text.begin(), text.end(), '\n');
  if (ftruncate(descriptor_.value, static_cast<off_t>(complete)) != 0 ||
      lseek(descriptor_.value, 0, SEEK_END) < 0) {
    fail("the file cannot be written", unfinished_);
  }
}

void ResumableRows::append(const std::vector<Json>& rows) {
  std::string lines;
  for (const Json& row : rows) lines += row.dump() + "\n";
  for (size_t written = 0; written < lines.size();) {
    const ssize_t size = write(descriptor_.value, lines.data() + written, lines.size() - written);
    if (size < 0 && errno != EINTR) fail("the rows cannot be written", unfinished_);
    if (size > 0) written += static_cast<size_t>(size);
  }
  done_ += std::ssize(rows);
}

void ResumableRows::commit() {
  if (fsync(descriptor_.value) != 0) fail("the rows cannot be written", unfinished_);
  fs::rename(unfinished_, file_);
  fs::remove(identity_);
  sync_directory(fs::absolute(file_).parent_path());
}

}  // namespace rubric
