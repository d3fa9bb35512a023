#include "data/rows/resumable_rows.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"

namespace rubric::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStartAnew = "repeat the command that began it, or delete it to start over";

fs::path with_end(const fs::path& file, const char* end) {
  fs::path longer = file;
  longer += end;
  return longer;
}

void require_same(const Json& identity, const fs::path& file, const fs::path& unfinished) {
  const Json before = Json::parse_file(file);
  for (const auto& [key, value] : identity.object()) {
    const std::string& earlier = before.require_string(key, file.string());
    if (earlier == value.string()) continue;
    const auto named = [](const std::string& text) { return text.empty() ? "none" : text; };
    throw InputError("the unfinished output was made with another " + key + ": " + named(earlier) +
                         " there, " + named(value.string()) + " now",
                     unfinished.string(), kStartAnew);
  }
}

// Whether `row` has all members of `input`.
bool is_made_of(const Json& row, const Json& input) {
  return std::ranges::all_of(input.object(), [&](const auto& member) {
    const Json* const found = row.find(member.first);
    return found != nullptr && found->dump() == member.second.dump();
  });
}

InputError changed_row(int64_t number, const std::string& where) {
  return InputError("this is not what becomes of row " + std::to_string(number) +
                        " of the input: the unfinished output was changed",
                    where, "delete it to start over");
}

}  // namespace

void require_resumable(const fs::path& file) {
  std::error_code missing;
  const fs::file_status status = fs::status(file, missing);
  if (!fs::exists(status) || fs::is_regular_file(status)) return;
  throw InputError("not a regular file, which resuming a stopped command needs", file.string(),
                   "name a file");
}

ResumableRows::ResumableRows(const fs::path& file, const Json& identity, int64_t group)
    : file_(resolve_link(file)),
      unfinished_(with_end(file_, ".unfinished")),
      identity_(with_end(file_, ".unfinished.json")) {
  require_resumable(file_);
  descriptor_.value = open(unfinished_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_.value < 0) throw_write_error("the file cannot be written", unfinished_);
  if (flock(descriptor_.value, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw_write_error("the file cannot be locked", unfinished_);
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
  keep_complete_groups(group);
}

void ResumableRows::require_made_of(std::span<const Json> inputs) const {
  MadeRows rows(*this, std::ssize(inputs));
  for (const Json& input : inputs.first(static_cast<size_t>(done_))) rows.require_next(input);
}

// A killed process may have left part of a line, and a full disk part of a group.
void ResumableRows::keep_complete_groups(int64_t group) {
  int64_t lines = 0, place = 0, complete = 0;
  std::vector<char> text(1 << 20);
  for (ssize_t size = 0; (size = read(descriptor_.value, text.data(), text.size())) != 0;) {
    if (size < 0 && errno != EINTR) throw_write_error("the file cannot be read", unfinished_);
    for (ssize_t i = 0; i < size; ++i, ++place) {
      if (text[static_cast<size_t>(i)] != '\n' || ++lines % group != 0) continue;
      complete = place + 1;
      done_ = lines;
    }
  }
  if (ftruncate(descriptor_.value, static_cast<off_t>(complete)) != 0 ||
      lseek(descriptor_.value, 0, SEEK_END) < 0) {
    throw_write_error("the file cannot be written", unfinished_);
  }
}

void ResumableRows::append(const std::vector<Json>& rows) {
  std::string lines;
  for (const Json& row : rows) lines += row.dump() + "\n";
  if (!write_all(descriptor_.value, lines)) {
    throw_write_error("the rows cannot be written", unfinished_);
  }
  done_ += std::ssize(rows);
}

void ResumableRows::commit() {
  if (fsync(descriptor_.value) != 0) throw_write_error("the rows cannot be written", unfinished_);
  fs::rename(unfinished_, file_);
  fs::remove(identity_);
  sync_directory(fs::absolute(file_).parent_path());
}

MadeRows::MadeRows(const ResumableRows& rows, int64_t inputs) : lines_(rows.unfinished()) {
  if (rows.done() <= inputs) return;
  throw changed_row(inputs + 1, rows.unfinished().string() + ":" + std::to_string(inputs + 1));
}

void MadeRows::require_next(const Json& input) {
  std::string line;
  if (lines_.next(line) && is_made_of(Json::parse(line, lines_.where()), input)) return;
  throw changed_row(lines_.line_number(), lines_.where());
}

}  // namespace rubric::data
