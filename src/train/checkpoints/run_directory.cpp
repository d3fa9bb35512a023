#include "train/checkpoints/run_directory.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "data/rows/rows.h"
#include "eval/result/training.h"

namespace rubric::train {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throw_log_error(const fs::path& run) {
  throw Error(std::string("cannot write: ") + std::strerror(errno), (run / "log.jsonl").string(),
              write_advice(errno));
}

[[noreturn]] void throw_rename_error(const fs::path& target) {
  throw Error(std::string("cannot rename into place: ") + std::strerror(errno), target.string());
}

constexpr const char* kExtended = "extended";  // the event of apply_changes()

// Whether a line of log.jsonl is an extension. Other lines are not parsed.
bool is_extension(std::string_view line, const std::string& where) {
  return line.find(kExtended) != std::string_view::npos &&
         Json::parse(line, where).require_string("event", where) == kExtended;
}

constexpr const char* kAside = ".replaced";  // the suffix of a directory that is being replaced

// Cleans up after an earlier start that was killed: deletes what it had not finished, and restores
// what it had moved aside where nothing has replaced it.
void clean_up(const fs::path& directory) {
  if (!fs::is_directory(directory)) return;
  delete_discarded(directory);
  std::vector<fs::path> aside;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == kAside) aside.push_back(entry.path());
  }
  for (const fs::path& path : aside) {
    const fs::path target = fs::path(path).replace_extension();
    if (fs::exists(target)) {
      discard(path);
    } else {
      fs::rename(path, target);
    }
  }
}

// Renames the directory `made` to `target`, which exists, and returns where the earlier one is
// then. `target` exists at every moment, unless the file system cannot exchange names (as NFS
// cannot).
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

bool is_partial(const fs::path& path) {  // a name made by partial_path() on any machine
  return path.filename().string().find(".partial-") != std::string::npos;
}

void try_to_delete(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return;
  log_warning("this is no longer needed but cannot be deleted yet: " + path.string() + " (" +
              error.message() + "); the next checkpoint or start tries again");
}

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory) {
  const fs::path file = directory / kLockFile;
  file_.value = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_.value < 0) {
    throw InputError(std::string("cannot lock the output directory: ") + std::strerror(errno),
                     file.string(), "choose another folder with --output");
  }
  if (flock(file_.value, LOCK_EX | LOCK_NB) == 0) return;
  const int failure = errno;
  if (failure == EWOULDBLOCK) {
    throw InputError("another process is training in the output directory", directory.string(),
                     "wait for it, or choose another folder with --output");
  }
  const std::string why = std::strerror(failure);
  if (failure != ENOLCK && failure != ENOSYS && failure != EOPNOTSUPP) {
    throw Error("cannot lock the output directory: " + why, file.string());
  }
  log_warning("the file system has no locks (" + why +
              "): start no other training in the output directory " + directory.string());
}

std::vector<std::string> describe_extensions(const fs::path& log) {
  std::vector<std::string> texts;
  eval::visit_log(log, [&](const Json& event, const std::string& kind, const std::string& where) {
    if (kind != kExtended) return;
    Changes changes;
    for (const auto& [key, change] : event.require("changes", where).object()) {
      changes.push_back(
          {key, change.require("before", where).dump(), change.require("now", where).dump()});
    }
    texts.push_back("Extended after update " +
                    std::to_string(event.require_integer("step", where)) + ": " +
                    describe_changes(changes));
  });
  return texts;
}

RunDirectory::RunDirectory(const TrainConfig& config, const Json& inputs, Resume resume,
                           bool extend)
    : path_(config.output), events_(path_) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw InputError("cannot make the output directory: " + error.message(), path_.string(),
                     "choose another folder with --output");
  }
  lock_.emplace(path_);
  changes_ = holds_run(config, inputs, resume, extend).value_or(Changes());
  for (const char* folder : {"", "checkpoints", "predictions"}) clean_up(path_ / folder);
  log_rounding_changes(config);
  write_identity(config, inputs);
  if (changes_.empty()) write_config(config);
  open_log();
}

void RunDirectory::apply_changes(const TrainConfig& config, int64_t step, int64_t steps) {
  if (changes_.empty()) return;
  Json event;
  event["event"] = kExtended;
  event["step"] = step;
  event["steps"] = steps;
  for (const Change& change : changes_) {
    event["changes"][change.key]["before"] = Json::parse(change.before, change.key);
    event["changes"][change.key]["now"] = Json::parse(change.now, change.key);
  }
  // In this order: whoever finds config.yaml as it is now finds the rest done.
  if (!read_file(path_ / "log.jsonl").ends_with(event.dump() + "\n")) log(event);
  sync_log();
  fs::remove(path_ / "results.json");
  write_config(config);
  changes_.clear();
}

void RunDirectory::open_log() {
  log_.open(path_ / "log.jsonl", std::ios::app | std::ios::binary);
  if (!log_) throw_log_error(path_);
}

void RunDirectory::log(const Json& event) {
  log_ << event.dump() << '\n' << std::flush;
  if (!log_) throw_log_error(path_);
  events_.add(event);
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
  data::write_rows(path_ / "predictions" / (split + ".jsonl"), rows);
}

fs::path RunDirectory::begin_directory(const std::string& name) const {
  const fs::path partial = partial_path(path_ / name);
  fs::create_directories(partial);
  return partial;
}

void RunDirectory::publish_directory(const fs::path& partial, const std::string& name) const {
  sync_directory(partial);
  const fs::path target = path_ / name;
  // A directory cannot be renamed over a non-empty one, and the one to be replaced may be the only
  // checkpoint, saved again with the validation that was due.
  fs::path earlier;
  if (fs::exists(target)) {
    earlier = exchange(partial, target);
  } else if (rename(partial.c_str(), target.c_str()) != 0) {
    throw_rename_error(target);
  }
  sync_directory(target.parent_path());
  if (!earlier.empty()) discard(earlier);
}

void RunDirectory::truncate_log(int64_t events) {
  const fs::path file = path_ / "log.jsonl";
  log_.close();
  std::string text = read_file(file);
  size_t end = 0;
  for (;;) {
    const size_t line_end = text.find('\n', end);
    if (line_end == std::string::npos) break;  // the interruption left this line incomplete
    const bool counts = !is_extension(std::string_view(text).substr(end, line_end - end), file);
    if (counts && events-- == 0) break;
    end = line_end + 1;
  }
  text.resize(end);
  write_file(file, text);
  open_log();
}

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

}  // namespace rubric::train
