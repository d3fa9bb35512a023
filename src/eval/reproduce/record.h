// What beside a run's outputs says how they were made.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/reproduce/inputs.h"

namespace rubric::eval {

// SHA-256 of files; those whose size and time of change a record knows are not read again.
class FileHashes {
 public:
  void remember(const Json& record);  // write_record's
  std::string of(const std::filesystem::path& file);
  std::string of(const std::vector<std::filesystem::path>& files);  // one, of names and contents
  Json entry(const std::filesystem::path& file);  // of() and what tells whether it changed

 private:
  struct Known {
    std::string state;  // bytes and time of change
    std::string sha256;
  };
  const Known& known(const std::filesystem::path& file);
  std::map<std::filesystem::path, Known> known_;
};

std::filesystem::path record_path(const StepRun& run);
std::filesystem::path log_path(const StepRun& run);

// The record of an earlier start, null where there is none (or none that can be read).
Json read_record(const StepRun& run);

// What decides whether two runs give the same: rubric's version, the command, the resolved
// configuration (without variables and includes, as it is then), the files, models and data of
// METEOR that are read, and the identities of the runs needed, by name.
Json identity_of(const FilledStep& filled, const RunInputs& inputs,
                 const std::map<std::string, std::string>& needs, FileHashes& hashes);

// Why the run is to be made although `record` is there; "" when it is done.
std::string reason_to_run(const StepRun& run, const FilledStep& filled, const Json& record,
                          const Json& identity);

// The record of a run that begins, without `seconds`, so that a later start knows what an
// unfinished folder is of; and of one that is done.
void write_record(const StepRun& run, const RunInputs& inputs, const Json& identity,
                  FileHashes& hashes, std::optional<double> seconds);

// Moves what an earlier start left in the run's folder aside, to FOLDER.outdated, unless the
// command goes on with what it wrote, as train does, and its record has this identity. An older
// .outdated goes.
void set_aside_outdated(const StepRun& run, const FilledStep& filled, const Json& record,
                        const Json& identity);

}  // namespace rubric::eval
