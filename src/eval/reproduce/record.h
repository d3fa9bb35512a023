// The record beside a run's outputs: how they were made, and whether they are up to date.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/reproduce/inputs.h"

namespace rubric::eval {

// SHA-256 of files; files whose size and modification time match a record are not read again.
class FileHashes {
 public:
  void remember(const Json& record);  // as written by write_record()
  std::string of(const std::filesystem::path& file);
  // One hash over names and contents.
  std::string of(const std::vector<std::filesystem::path>& files);
  Json entry(const std::filesystem::path& file);  // of() with the file's size and time

 private:
  struct Known {
    std::string state;  // size and modification time
    std::string sha256;
  };
  const Known& known(const std::filesystem::path& file);
  std::map<std::filesystem::path, Known> known_;
};

std::filesystem::path record_path(const StepRun& run);
std::filesystem::path log_path(const StepRun& run);

// The record of an earlier start; null if missing or unreadable.
Json read_record(const StepRun& run);

// What determines a run's results: rubric's version, the command, the resolved configuration
// (variables and includes expanded), the files, models and METEOR data it reads, and the identities
// of the runs that it needs, by name.
Json identity_of(const FilledStep& filled, const RunInputs& inputs,
                 const std::map<std::string, std::string>& needs, FileHashes& hashes);

// Takes over from the record the hashes of files that are gone: what was made of them is not
// outdated, and could not be made again.
void keep_hashes_of_gone_files(const Json& record, Json& identity);

// Why the run must be made despite `record`; "" when it is done.
std::string reason_to_run(const StepRun& run, const FilledStep& filled, const Json& record,
                          const Json& identity);

// Writes the record: without `seconds` when a run starts, so that a later start recognises an
// unfinished directory, and with them when it is done.
void write_record(const StepRun& run, const RunInputs& inputs, const Json& identity,
                  FileHashes& hashes, std::optional<double> seconds);

// Moves an earlier start's output aside, unless the command can resume it and its record has this
// identity: to FOLDER.outdated, replacing an older one, or, made by another build of rubric, to
// FOLDER.outdated-BUILD, so that no rebuild loses what others have finished.
void move_outdated_aside(const StepRun& run, const RunInputs& inputs, const Json& record,
                         const Json& identity);

}  // namespace rubric::eval
