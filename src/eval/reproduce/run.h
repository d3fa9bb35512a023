// The runs behind an experiment's cells: the record beside a run's outputs, which says how they
// were made and whether they are up to date, and carrying out the missing ones, here or as Slurm
// jobs.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/reproduce/plan.h"

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
// identity: to FOLDER.outdated or, made by another build of rubric, to FOLDER.outdated-BUILD. A
// name that is taken gets a number (FOLDER.outdated-2): no output is deleted.
void move_outdated_aside(const StepRun& run, const RunInputs& inputs, const Json& record,
                         const Json& identity);

// Carries out the missing runs behind an experiment's cells, here or as Slurm job arrays.

inline constexpr const char* kScoreSummary = "summary.json";  // of metrics: mean, signature

enum class RunState {
  done,     // by an earlier start
  made,     // by this start
  to_run,   // in a dry run
  not_run,  // a file or a needed run is missing, or nothing can use the result
  failed
};

struct RunStatus {
  RunState state = RunState::to_run;
  std::string why;                   // for the last three
  std::vector<std::string> command;  // as far as known
  double seconds = 0;                // if made by this start

  bool is_done() const { return state == RunState::done || state == RunState::made; }
};

struct ExperimentOutcome {
  std::vector<RunStatus> runs;  // by run of the plan
  std::vector<SelectedValue> selections;
};

// Runs a rubric command with its standard streams in these files, and returns its exit status.
using StartCommand = std::function<int(const std::vector<std::string>& command,
                                       const std::string& output, const std::string& errors)>;

// Goes through the plan in order and starts what is missing with `start`, one run after the other.
// When a run fails, the runs and selections that need it are skipped, and the others continue. Each
// run of `score` writes its summary (kScoreSummary) into its directory. Without `start` nothing is
// changed (a dry run). Throws Interrupted after a stop request, which the running command receives
// too.
ExperimentOutcome carry_out(const Experiment& experiment, const Plan& plan,
                            const MissingInputs& missing_inputs, const StartCommand& start);

// Slurm.

// Returns a shell script that submits one job array for each step with missing runs (several for a
// step where one array would need itself), each after those that it needs. An array starts when
// those have succeeded, and is cancelled when one of their tasks failed;
// a new script then submits what is still missing. Each task is `program reproduce FILE --only
// RUN`, which selects, resumes and records as it does on one machine.
std::string slurm_script(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, const std::string& program);

}  // namespace rubric::eval
