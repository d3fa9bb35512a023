// The folder of a training run: configuration, log, predictions, and folders that appear whole.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "train/settings/train_config.h"
#include "core/files/descriptor.h"
#include "core/json/json.h"
#include "core/files/sealed_folder.h"
#include "train/checkpoints/run_directory.h"

namespace rubric {

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
      seal_folder(partial, write(partial));
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

}  // namespace rubric
