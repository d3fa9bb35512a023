// The directory of a training run: which run it holds (a command resumes only its own run), its
// lock, its log, its predictions and its subdirectories, which appear whole by rename.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "train/curves/curves.h"
#include "train/settings/train_config.h"
#include "train/settings/train_setup.h"

namespace rubric::train {

// A training process holds a lock on this file, which is empty and never deleted.
inline constexpr const char* kLockFile = "lock";

// The SHA-256 of every file that a run depends on, by its configuration key.
Json input_hashes(const TrainConfig& config, const std::filesystem::path& encoder_directory);

// What must agree on all ranks of a run, by its name for messages: the configuration (except the
// location of the token store) and the input files.
Json run_facts(const TrainConfig& config, const Json& inputs);

// A key of the configuration that an extension of a run changes, with both values as printed.
struct Change {
  std::string key, before, now;
};
using Changes = std::vector<Change>;

std::string describe_changes(const Changes& changes);  // "run.epochs 6 → 8, run.patience 0 → 2"

// "Extended after update 48: run.epochs 6 → 8", for each extension in a run's log.jsonl. Throws
// InputError that names the line of an invalid event.
std::vector<std::string> describe_extensions(const std::filesystem::path& log);

// If `config.output` holds an earlier start of this run, returns what `config` changes in it, which
// is empty unless `extend`; otherwise nullopt. Throws InputError when there is an earlier start and
// `resume` forbids resuming it, when the directory holds files that do not belong to a run, when it
// holds a run whose configuration or input files differ (the message says where; some keys may
// differ, and more of them with `extend`), and with `extend` when there is no earlier start.
// Changes no file.
std::optional<Changes> holds_run(const TrainConfig& config, const Json& inputs, Resume resume,
                                 bool extend = false);

// Logs in one line what `config` changes in the run of its folder that changes results by rounding
// (threads, batches.max_tokens, model.checkpoint_gradients); nothing where it changes none.
void log_rounding_changes(const TrainConfig& config);

// Writes inputs.json and builds.txt; then write_config() writes config.yaml, by which holds_run()
// recognises the run.
void write_identity(const TrainConfig& config, const Json& inputs);
void write_config(const TrainConfig& config);

// Returns every build of rubric (rubric/version.h) that has trained the run, in order.
std::vector<std::string> builds_of(const std::filesystem::path& run);

bool is_finished(const std::filesystem::path& run);  // whether results.json exists

// The run directory itself.

// A lock held for the object's lifetime; the system releases it when the process is killed. It is
// flock() on the file `lock` opened for writing, which NFS passes on to all clients, unlike a lock
// on a directory. Logs a warning where the file system has no locks.
class DirectoryLock {
 public:
  // Throws InputError when another process holds it or the file cannot be opened, Error otherwise.
  explicit DirectoryLock(const std::filesystem::path& directory);

 private:
  FileDescriptor file_;
};

class RunDirectory {
 public:
  // Creates the directory `config.output`, or opens the one that holds_run() has found and cleans
  // up what a killed start left half-done. Throws InputError when it cannot be made or another
  // process is training in it, and as holds_run() does, since another process may have trained
  // there in between.
  RunDirectory(const TrainConfig& config, const Json& inputs, Resume resume, bool extend = false);

  const std::filesystem::path& path() const { return path_; }

  // What this start changes in the run, until apply_changes() is called.
  const Changes& changes() const { return changes_; }
  // Logs the changes as an event after update `step`, of `steps` in all, and makes `config` the
  // run's: from then on it is not finished. A start that was killed in between repeats it.
  void apply_changes(const TrainConfig& config, int64_t step, int64_t steps);

  // Appends a line to log.jsonl, and what it says to the curves (curves.h).
  void log(const Json& event);
  // Keeps the first `events` updates and validations, and the extensions before and right after
  // them.
  void truncate_log(int64_t events);
  void sync_log() const;  // flushes it to disk

  // Writes predictions/SPLIT.jsonl, one object a line, replacing an earlier file.
  void save_predictions(const std::string& split, const std::vector<Json>& rows);

  // Publishes a subdirectory by rename, replacing an earlier one. `write` fills it and returns the
  // names of its files, which are sealed (core/files/directories.h). At every moment, and after a
  // kill at any, the earlier or the new one exists or is restored by the next start.
  template <class Write>
  void replace_directory(const std::string& name, const Write& write) {
    const std::filesystem::path partial = begin_directory(name);
    try {
      seal_directory(partial, write(partial));
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove_all(partial, ignored);  // frees the space on a full disk
      throw;
    }
    publish_directory(partial, name);
  }

 private:
  std::filesystem::path begin_directory(const std::string& name) const;
  void publish_directory(const std::filesystem::path& partial, const std::string& name) const;
  void open_log();

  std::filesystem::path path_;
  Changes changes_;
  std::optional<DirectoryLock> lock_;
  std::ofstream log_;
  EventFile events_;
};

// Deleting.

// Renames a file or directory at once, which frees its name, and deletes it. What cannot be deleted
// yet is left, with a warning, to delete_discarded(): on NFS a file that a process has open stays
// as .nfsXXXX, and so does its directory. Throws Error when it cannot be renamed.
void discard(const std::filesystem::path& path);

// Deletes what discard() has left in `directory`, and what killed processes left unfinished there.
void delete_discarded(const std::filesystem::path& directory);

}  // namespace rubric::train
