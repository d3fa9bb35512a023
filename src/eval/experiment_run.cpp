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

// What a message says, its parts one behind the other.
std::string one_line(const Error& error) {
  std::string line;
  for (const char c : std::string(error.what())) {
    if (c == '\n') line += ';';
    if (c != '\n' && (c != ' ' || !line.ends_with(' '))) line += c;
  }
  return line;
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
    bool is_ready = true;
    for (const size_t need : run.needs) {
      const RunStatus& needed = outcome_.runs[need];
      if (needed.state == RunState::not_run) return not_run(run, needed.why);
      if (needed.state == RunState::failed) {
        return not_run(run, plan_.runs[need].name + " " + needed.why);
      }
      is_ready = is_ready && needed.is_done();
    }
    FilledStep filled;
    try {
      filled = fill(run, is_ready);
    } catch (const InputError&) {
      throw;  // the experiment is wrong
    } catch (const Error& error) {
      return not_run(run, one_line(error));  // no value can be selected
    }
    RunStatus status{RunState::to_run, "", filled.command, 0};
    RunInputs inputs;
    try {
      inputs = inputs_of(experiment_, run, filled);
    } catch (const InputError& error) {
      status.state = RunState::not_run;
      status.why = one_line(error);
      return status;
    }
    if (!is_ready) {
      status.why = "a step before it is to be run";
      return status;
    }
    run_if_needed(run, filled, inputs, index, status);
    return status;
  }

  RunStatus not_run(const StepRun& run, const std::string& why) {
    return {RunState::not_run, why, fill(run, false).command, 0};
  }

  void run_if_needed(const StepRun& run, const FilledStep& filled, const RunInputs& inputs,
                     size_t index, RunStatus& status) {
    const Json record = read_record(run);
    if (!start_ && record.find("identity") == nullptr) {
      status.why = "not run yet";  // told without reading models, which takes seconds
      return;
    }
    hashes_.remember(record);
    std::map<std::string, std::string> needs;
    for (const size_t need : run.needs) needs[plan_.runs[need].name] = digests_[need];
    const Json identity = identity_of(filled, inputs, needs, hashes_);
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
    write_record(run, inputs, identity, hashes_, std::nullopt);
    make(run, filled, status);
    if (status.state == RunState::made) {
      write_record(run, inputs, identity, hashes_, status.seconds);
    }
  }

  // Runs the command and sees what became of it.
  void make(const StepRun& run, const FilledStep& filled, RunStatus& status) {
    const bool prints_results = run.step->prints_results();
    if (filled.command.front() != "train") fs::create_directories(run.folder);
    std::vector<std::string> command = filled.command;
    const fs::path results = run.folder / "results.json", partial = partial_path(results);
    if (prints_results) command.insert(command.end(), {"--format", "json"});
    if (command.front() == "score") {
      command.insert(command.end(), {"--summary", (run.folder / kScoreSummary).string()});
    }
    const std::string log = log_path(run).string();
    const auto begin = std::chrono::steady_clock::now();
    const int code = start_(command, prints_results ? partial.string() : log, log);
    status.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (prints_results && code == kDone && !fs::is_empty(partial)) {
      fs::rename(partial, results);  // `evaluate gaps` prints nothing
    }
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
};

}  // namespace

ExperimentOutcome carry_out(const Experiment& experiment, const Plan& plan,
                            const StartCommand& start) {
  return Runner(experiment, plan, start).carry_out();
}

}  // namespace rubric
