// Which run a folder holds: the same command goes on with its own run and with no other.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "train/settings/train_config.h"

namespace rubric::train {

// The file of a run directory that a training process holds a lock on. It stays, empty.
inline constexpr const char* kLockFile = "lock";

// The SHA-256 of every file that a run depends on, by its configuration key.
Json input_hashes(const TrainConfig& config, const std::filesystem::path& encoder_directory);

// What must be the same on all ranks of a run, by names for messages: the configuration (only the
// token store may lie elsewhere) and the input files.
Json run_facts(const TrainConfig& config, const Json& inputs);

// Whether a run that is there already is resumed: by the build of rubric that trained it so far, by
// any build, or not at all.
enum class Resume { automatic, of_any_build, never };

// Whether `config.output` holds an earlier start of this run. Throws InputError when it does and
// `resume` forbids to resume it, and when it holds anything else: files that are no run's, or a run
// whose configuration or input files differ (where is named; the places of the run and its token
// store may differ). Touches nothing.
bool holds_run(const TrainConfig& config, const Json& inputs, Resume resume);

// Writes into the run directory what holds_run() goes by: inputs.json, builds.txt, config.yaml.
void write_identity(const TrainConfig& config, const Json& inputs);

// Every build of rubric that has trained the run (core/version.h), in order.
std::vector<std::string> builds_of(const std::filesystem::path& run);

bool is_finished(const std::filesystem::path& run);  // results.json is there

// The folder of a training run: configuration, log, predictions, and folders that appear whole.

// Held as long as it lives; the system drops it when the process is killed. It is flock() on the
// directory's file `lock`, opened for writing: NFS passes that on to all clients, and no lock on a
// folder. Where the file system has no locks, a warning says so.
class DirectoryLock {
 public:
  // Throws InputError when another process has it or the file cannot be opened, else Error.
  explicit DirectoryLock(const std::filesystem::path& directory);

 private:
  Descriptor file_;
};

class RunDirectory {
 public:
  // Makes the folder `config.output`, or opens the one that holds_run() has found, and puts in
  // order what an earlier start that was killed left half-done. Throws InputError when the folder
  // cannot be made, when another process is training in it, and as holds_run() does: another may
  // have trained there since that was asked.
  RunDirectory(const TrainConfig& config, const Json& inputs, Resume resume);

  const std::filesystem::path& path() const { return path_; }

  void log(const Json& event);   // one line of log.jsonl
  void cut_log(int64_t events);  // keeps the first so many
  void sync_log() const;         // flushes it to disk

  // predictions/SPLIT.jsonl, one object a line; replaces an earlier one.
  void save_predictions(const std::string& split, const std::vector<Json>& rows);

  // A folder published by rename, replacing an earlier one: `write` fills it and gives the names of
  // its files, and they are sealed (core/sealed_folder.h). At every moment, and after a kill at
  // any, the earlier or the new one is there, or comes back with the next start.
  template <class Write>
  void replace_directory(const std::string& name, const Write& write) {
    const std::filesystem::path partial = begin_directory(name);
    try {
      seal_directory(partial, write(partial));
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove_all(partial, ignored);  // a full disk needs the space
      throw;
    }
    publish_directory(partial, name);
  }

 private:
  std::filesystem::path begin_directory(const std::string& name) const;
  void publish_directory(const std::filesystem::path& partial, const std::string& name) const;
  void open_log();

  std::filesystem::path path_;
  std::optional<DirectoryLock> lock_;
  std::ofstream log_;
};

// What a run directory no longer needs.

// Takes its name from a file or folder at once, and deletes it. What cannot be deleted yet is left,
// with a warning, to delete_discarded(): on NFS a file that some process has open stays, as
// .nfsXXXX, and its folder with it. Throws Error when it cannot be renamed.
void discard(const std::filesystem::path& path);

// Deletes what discard() has left in `directory`, and what killed processes had not finished there.
void delete_discarded(const std::filesystem::path& directory);

}  // namespace rubric::train
