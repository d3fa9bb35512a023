#include "eval/experiment_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/signals.h"
#include "eval/experiment_record.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

std::string status_text(int status) {
  return status > 128 ? "was ended by signal " + std::to_string(status - 128)
                      : "ended with exit code " + std::to_string(status);
}

class Runner {
 public:
  Runner(const Experiment& experiment, const Plan& plan, const StartCommand& start)
      : experiment_(experiment), plan_(plan), start_(start) {}

  ExperimentOutcome carry_out() {
    for (const StepRun& run : plan_.runs) require_configuration(run);
    for (size_t i = 0; i < plan_.runs.size(); ++i) {
      if (start_) end_if_stop_requested();
      outcome_.runs.push_back(status_of(plan_.runs[i], i));
    }
    return std::move(outcome_);
  }

 private:
  void require_configuration(const StepRun& run) {
    const FilledStep filled = fill(run, false);
    if (filled.command.front() == "train") configuration_of(*run.step, filled.command);
  }

  FilledStep fill(const StepRun& run, bool may_select) {
    return fill_in(experiment_, run, [&](const Step& step, const Bindings& bindings) {
      return may_select ? selected(step, bindings) : "<" + step.select->axis + ">";
    });
  }

  std::string selected(const Step& step, const Bindings& bindings) {
    Bindings others = bindings;
    others.erase(kSeedAxis);
    others[step.select->axis] = "";
    const auto [known, is_new] = selected_.emplace(run_name_without_seed(step, others), "");
    if (is_new) {
      outcome_.selections.push_back(select_value(experiment_, step, bindings));
      known->second = outcome_.selections.back().value;
    }
    return known->second;
  }

  static std::string run_name_without_seed(const Step& step, Bindings bindings) {
    if (step.runs_over(kSeedAxis)) bindings[kSeedAxis] = "";
    return run_name(step, bindings);
  }

  // The runs that differ in seed and selected axis alone: what one fails of the others do too.
  static std::string name_of_group(const StepRun& run) {
    Bindings bindings = run.bindings;
    if (run.step->select) bindings[run.step->select->axis] = "";
    return run_name_without_seed(*run.step, bindings);
  }

  RunStatus status_of(const StepRun& run, size_t index) {
    bool is_ready = true;
    for (const size_t need : run.needs) {
      const RunStatus& needed = outcome_.runs[need];
      if (needed.state == RunState::not_run) return not_run(run, needed.why);
      if (needed.state == RunState::failed) {
        return not_run(run, plan_.runs[need].name + " " + needed.why);
      }
      is_ready = is_ready && needed.is_done();
    }
    const FilledStep filled = fill(run, is_ready);
    RunStatus status{RunState::to_run, "", filled.command, 0};
    for (const std::string& file : filled.reads) {
      std::error_code unreadable;  // counts as missing
      if (!fs::is_regular_file(file, unreadable)) {
        status.state = RunState::not_run;
        status.why = file + " is missing";
        return status;
      }
    }
    if (const auto failure = failures_.find(name_of_group(run)); failure != failures_.end()) {
      status.state = RunState::not_run;
      status.why = failure->second;
      return status;
    }
    if (!is_ready) {
      status.why = "a step before it is to be run";
      return status;
    }
    run_if_needed(run, filled, index, status);
    return status;
  }

  RunStatus not_run(const StepRun& run, const std::string& why) {
    return {RunState::not_run, why, fill(run, false).command, 0};
  }

  void run_if_needed(const StepRun& run, const FilledStep& filled, size_t index,
                     RunStatus& status) {
    const Json record = read_record(run);
    hashes_.remember(record);
    std::map<std::string, std::string> needs;
    for (const size_t need : run.needs) needs[plan_.runs[need].name] = digests_[need];
    const Json identity = identity_of(run, filled, needs, hashes_);
    digests_[index] = sha256(identity.dump());
    status.why = reason_to_run(run, filled, record, identity);
    if (status.why.empty()) {
      status.state = RunState::done;
      return;
    }
    if (!start_) return;
    log_info("[" + std::to_string(index + 1) + "/" + std::to_string(plan_.runs.size()) + "] " +
             run.name + " (" + status.why + "), log: " + log_path(run).string());
    set_aside_outdated(run, filled, record, identity);
    fs::create_directories(run.folder.parent_path());
    write_start_record(run, identity);
    make(run, filled, status);
    if (status.state == RunState::made) {
      write_record(run, filled, identity, status.seconds, hashes_);
    } else {
      failures_[name_of_group(run)] = run.name + " " + status.why;
    }
  }

  // Runs the command and sees what became of it.
  void make(const StepRun& run, const FilledStep& filled, RunStatus& status) {
    const bool prints_results = run.step->prints_results();
    if (filled.command.front() != "train") fs::create_directories(run.folder);
    std::vector<std::string> command = filled.command;
    const fs::path results = run.folder / "results.json", partial = partial_path(results);
    if (prints_results) command.insert(command.end(), {"--format", "json"});
    const std::string log = log_path(run).string();
    const auto begin = std::chrono::steady_clock::now();
    const int code = start_(command, prints_results ? partial.string() : log, log);
    status.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (prints_results && code == kDone) fs::rename(partial, results);
    std::error_code ignored;
    fs::remove(partial, ignored);
    end_if_stop_requested();
    status.state = RunState::failed;
    if (code != kDone) {
      status.why = status_text(code) + " (log: " + log + ")";
      return;
    }
    for (const std::string& file : filled.writes) {
      if (fs::exists(run.folder / file)) continue;
      status.why = "did not write " + (run.folder / file).string();
      return;
    }
    status.state = RunState::made;
    status.why.clear();
  }

  const Experiment& experiment_;
  const Plan& plan_;
  const StartCommand& start_;
  ExperimentOutcome outcome_;
  FileHashes hashes_;
  std::map<size_t, std::string> digests_;        // of the identities of runs looked at
  std::map<std::string, std::string> selected_;  // by the step's and its other axes' names
  std::map<std::string, std::string> failures_;  // by the names of groups of runs: which, and why
};

}  // namespace

ExperimentOutcome carry_out(const Experiment& experiment, const Plan& plan,
                            const StartCommand& start) {
  return Runner(experiment, plan, start).carry_out();
}

}  // namespace rubric
