#include "train/run_directory.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "train/run_identity.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// Removes what was being written when an earlier start was killed.
void remove_partial(const fs::path& directory) {
  if (!fs::is_directory(directory)) return;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().filename().string().find(".partial-") != std::string::npos) {
      found.push_back(entry.path());
    }
  }
  for (const fs::path& partial : found) fs::remove_all(partial);
}

[[noreturn]] void throw_log_error(const fs::path& run) {
  throw Error(std::string("cannot write: ") + std::strerror(errno), (run / "log.jsonl").string(),
              "free some space, then start again");
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

RunDirectory::RunDirectory(fs::path path, const std::string& config_text, const Json& inputs)
    : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw InputError("cannot make the output directory: " + error.message(), path_.string(),
                     "choose another folder with --output");
  }
  lock_.emplace(path_);
  remove_partial(path_);
  remove_partial(path_ / "checkpoints");
  remove_partial(path_ / "predictions");
  write_file(path_ / kInputsFile, inputs.dump(2) + "\n");
  write_file(path_ / "config.yaml", config_text);  // again, as the run may have been moved
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

void RunDirectory::save_predictions(const std::string& split, const std::vector<Json>& rows) {
  fs::create_directories(path_ / "predictions");
  AtomicFile file(path_ / "predictions" / (split + ".jsonl"));
  for (const Json& row : rows) file.write(row.dump() + "\n");
  file.commit();
}

fs::path RunDirectory::begin_directory(const std::string& name) const {
  const fs::path partial = partial_path(path_ / name);
  fs::create_directories(partial);
  return partial;
}

void RunDirectory::publish_directory(const fs::path& partial, const std::string& name) const {
  sync_directory(partial);
  const fs::path target = path_ / name;
  // A folder cannot be renamed over one that is not empty. What is replaced here is only ever the
  // outcome of the same update, made again after an interruption, or a model that a better one
  // follows; the latest checkpoint leads to it again.
  const fs::path earlier = partial_path(target);
  if (fs::exists(target)) fs::rename(target, earlier);
  std::error_code error;
  fs::rename(partial, target, error);
  if (error) throw Error("cannot rename into place: " + error.message(), target.string());
  sync_directory(target.parent_path());
  fs::remove_all(earlier);
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
