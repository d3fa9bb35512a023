// The folder of a training run: configuration, log, predictions, and folders that appear whole.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "config/train_config.h"
#include "core/json.h"
#include "core/sealed_folder.h"
#include "train/run_identity.h"

namespace rubric {

// Held as long as it lives; the kernel drops it when the process is killed.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);  // InputError when another has it
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_;
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

  // A folder published by rename, replacing an earlier one: `write` fills it, and it is sealed
  // (core/sealed_folder.h). At every moment, and after a kill at any, the earlier or the new one is
  // there, or comes back with the next start.
  template <class Write>
  void replace_directory(const std::string& name, const Write& write) {
    const std::filesystem::path partial = begin_directory(name);
    try {
      write(partial);
      seal_folder(partial);
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
