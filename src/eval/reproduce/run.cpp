#include "eval/reproduce/run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "eval/reproduce/record.h"

namespace rubric::eval {
namespace {

namespace fs = std::filesystem;

std::string status_text(int status) {
  return status > 128 ? "was ended by signal " + std::to_string(status - 128)
                      : "ended with exit code " + std::to_string(status);
}

class Runner {
 public:
  Runner(const Experiment& experiment, const Plan& plan, const MissingInputs& missing_inputs,
         const StartCommand& start)
      : experiment_(experiment), plan_(plan), missing_inputs_(missing_inputs), start_(start) {}

  ExperimentOutcome carry_out() {
    for (size_t i = 0; i < plan_.runs.size(); ++i) {
      if (start_) end_if_stop_requested();
      outcome_.runs.push_back(status_of(plan_.runs[i], i));
    }
    return std::move(outcome_);
  }

 private:
  std::string selected(const Step& step, const Bindings& bindings) {
    Bindings others = bindings;
    others.erase(kSeedAxis);
    others[step.select->axis] = "";
    const std::string name = run_name_without_seed(step, others);
    if (const auto known = selected_.find(name); known != selected_.end()) return known->second;
    outcome_.selections.push_back(select_value(experiment_, step, bindings));
    return selected_[name] = outcome_.selections.back().value;
  }

  static std::string run_name_without_seed(const Step& step, Bindings bindings) {
    if (step.runs_over(kSeedAxis)) bindings[kSeedAxis] = "";
    return run_name(step, bindings);
  }

  RunStatus status_of(const StepRun& run, size_t index) {
    FilledStep filled = fill_in(experiment_, run);
    RunStatus status{RunState::not_run, "", filled.command, 0};
    RunInputs inputs = inputs_of(experiment_, run, filled);
    status.why = missing_text(experiment_, inputs);
    if (!status.why.empty()) return status;
    bool is_ready = true;
    for (const size_t need : run.needs) {
      const RunStatus& needed = outcome_.runs[need];
      if (needed.state == RunState::not_run) status.why = needed.why;
      if (needed.state == RunState::failed) {
        status.why = plan_.runs[need].name + " " + needed.why;
      }
      if (!status.why.empty()) return status;
      is_ready = is_ready && needed.is_done();
    }
    if (!is_ready) {
      leave(index, "a step before it is to be run", status);
      return status;
    }
    try {
      filled = fill_in(experiment_, run, [&](const Step& step, const Bindings& bindings) {
        return selected(step, bindings);
      });
    } catch (const InputError&) {
      throw;  // an error in the experiment file
    } catch (const Error& error) {
      status.why = one_line(error);  // no value can be selected
      return status;
    }
    inputs = inputs_of(experiment_, run, filled);
    status.command = filled.command;
    run_if_needed(run, filled, inputs, index, status);
    return status;
  }

  // Marks a run that is not done: to be run, because of `why`, unless nothing could use it.
  void leave(size_t index, const std::string& why, RunStatus& status) const {
    const std::string& of_no_use = missing_inputs_.of_no_use[index];
    status.state = of_no_use.empty() ? RunState::to_run : RunState::not_run;
    status.why = of_no_use.empty() ? why : of_no_use;
  }

  void run_if_needed(const StepRun& run, const FilledStep& filled, const RunInputs& inputs,
                     size_t index, RunStatus& status) {
    const Json record = read_record(run);
    if (!start_ && record.find("identity") == nullptr) {
      leave(index, "not run yet", status);  // decided without reading models, which takes seconds
      return;
    }
    hashes_.remember(record);
    std::map<std::string, std::string> needs;
    for (const size_t need : run.needs) needs[plan_.runs[need].name] = digests_[need];
    Json identity;
    try {
      identity = identity_of(filled, inputs, needs, hashes_);
    } catch (const InputError& error) {
      status.why = one_line(error);  // a file that cannot be read
      return;
    }
    keep_hashes_of_gone_files(record, identity);
    digests_[index] = sha256(identity.dump());
    status.why = reason_to_run(run, filled, record, identity);
    if (status.why.empty()) {
      status.state = RunState::done;
      return;
    }
    leave(index, status.why, status);
    if (!start_ || status.state == RunState::not_run) return;
    log_info("[" + std::to_string(index + 1) + "/" + std::to_string(plan_.runs.size()) + "] " +
             run.name + " (" + status.why + "), log: " + log_path(run).string());
    move_outdated_aside(run, inputs, record, identity);
    make_directories(run.folder.parent_path());
    write_record(run, inputs, identity, hashes_, std::nullopt);
    make(run, filled, status);
    if (status.state == RunState::made) {
      write_record(run, inputs, identity, hashes_, status.seconds);
    }
  }

  // Runs the command and sets the status.
  void make(const StepRun& run, const FilledStep& filled, RunStatus& status) {
    const StepCommand& declared = run.step->declared.back();
    const bool prints_results = declared.prints_results;
    if (!declared.makes_directory) make_directories(run.folder);
    std::vector<std::vector<std::string>> commands = split_commands(filled.command);
    std::vector<std::string>& last = commands.back();
    const fs::path results = run.folder / "results.json", partial = partial_path(results);
    if (prints_results) last.insert(last.end(), {"--format", "json"});
    if (declared.writes_summary) {
      last.insert(last.end(), {"--summary", (run.folder / kScoreSummary).string()});
    }
    const std::string log = log_path(run).string();
    const auto begin = std::chrono::steady_clock::now();
    int code = kDone;
    for (size_t i = 0; i < commands.size() && code == kDone; ++i) {
      code = start_(commands[i], prints_results ? partial.string() : log, log);
    }
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
  const MissingInputs& missing_inputs_;
  const StartCommand& start_;
  ExperimentOutcome outcome_;
  FileHashes hashes_;
  std::map<size_t, std::string> digests_;        // of the identities of the runs visited
  std::map<std::string, std::string> selected_;  // by the step and its other axes
};

}  // namespace

ExperimentOutcome carry_out(const Experiment& experiment, const Plan& plan,
                            const MissingInputs& missing_inputs, const StartCommand& start) {
  return Runner(experiment, plan, missing_inputs, start).carry_out();
}

}  // namespace rubric::eval
