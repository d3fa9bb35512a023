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
#include "rubric/version.h"

namespace rubric::eval {
namespace {

namespace fs = std::filesystem;

fs::path beside(const StepRun& run, const char* end) {
  return fs::path(run.folder.string() + end);
}

// The parts of an identity, and what is said where one differs; "": the file or model that does.
constexpr std::pair<const char*, const char*> kParts[] = {
    {"rubric", "made by another version of rubric"},
    {"command", "the command has changed"},
    {"configuration", "the configuration has changed"},
    {"reads", ""},
    {"models", ""},
    {"meteor", "METEOR's data has changed"}};

// Describes how two identities differ in one part; "" if they agree.
std::string difference(const char* part, const std::string& message, const Json& earlier,
                       const Json& now) {
  const Json none, *then_part = earlier.find(part), *now_part = now.find(part);
  const Json& before = then_part == nullptr ? none : *then_part;
  const Json& after = now_part == nullptr ? none : *now_part;
  if (before.dump() == after.dump()) return "";
  if (!message.empty()) return message;
  if (after.is_object()) {
    for (const auto& [name, hash] : after.object()) {
      const Json* const known = before.find(name);
      if (known == nullptr || known->dump() != hash.dump()) return name + " has changed";
    }
  }
  return "what it reads has changed";
}

// "0123456789ab" of "0.1.0+0123456789ab"; "" where the record's build is this one.
std::string other_build(const Json* identity) {
  const Json* const version = identity == nullptr ? nullptr : identity->find("rubric");
  if (version == nullptr || !version->is_string()) return "";
  const std::string& text = version->string();
  const size_t plus = text.find('+');
  return plus == std::string::npos || text == version_with_build() ? "" : text.substr(plus + 1);
}

}  // namespace

void FileHashes::remember(const Json& record) {
  const Json* const files = record.find("files");
  if (files == nullptr || !files->is_object()) return;
  for (const auto& [file, entry] : files->object()) {
    const Json *const state = entry.find("state"), *const hash = entry.find("sha256");
    if (state == nullptr || !state->is_string() || hash == nullptr || !hash->is_string()) continue;
    known_.try_emplace(file, Known{state->string(), hash->string()});  // a file is read again once
  }
}

const FileHashes::Known& FileHashes::known(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto modified = error ? fs::file_time_type() : fs::last_write_time(file, error);
  if (error)
    throw InputError("cannot be read: " + error.message(), file.string(),
                     "check the path, and who may read it");
  const std::string state =
      std::to_string(size) + " " + std::to_string(modified.time_since_epoch().count());
  Known& known = known_[file];
  if (known.state != state) known = {state, sha256_file(file)};
  return known;
}

std::string FileHashes::of(const fs::path& file) {
  return known(file).sha256;
}

std::string FileHashes::of(const std::vector<fs::path>& files) {
  std::string all;
  for (const fs::path& file : files) all += file.filename().string() + " " + of(file) + "\n";
  return sha256(all);
}

Json FileHashes::entry(const fs::path& file) {
  return Json::Object{{"state", known(file).state}, {"sha256", known(file).sha256}};
}

fs::path record_path(const StepRun& run) {
  return beside(run, ".json");
}

fs::path log_path(const StepRun& run) {
  return beside(run, ".log");
}

Json read_record(const StepRun& run) {
  const fs::path file = record_path(run);
  if (!fs::is_regular_file(file)) return {};
  try {
    return Json::parse_file(file);
  } catch (const InputError&) {
    return {};  // without a record the run is made again
  }
}

Json identity_of(const FilledStep& filled, const RunInputs& inputs,
                 const std::map<std::string, std::string>& needs, FileHashes& hashes) {
  Json identity;
  identity["rubric"] = version_with_build();
  identity["command"] = Json::Array(filled.command.begin(), filled.command.end());
  if (!inputs.configuration.empty()) identity["configuration"] = sha256(inputs.configuration);
  for (const fs::path& file : inputs.files) identity["reads"][file.string()] = hashes.of(file);
  for (const auto& [name, files] : inputs.models) identity["models"][name] = hashes.of(files);
  if (!inputs.meteor.empty()) identity["meteor"] = hashes.of(inputs.meteor);
  for (const auto& [name, digest] : needs) identity["needs"][name] = digest;
  return identity;
}

void keep_hashes_of_gone_files(const Json& record, Json& identity) {
  const Json* const earlier = record.find("identity");
  const Json* const before = earlier == nullptr ? nullptr : earlier->find("reads");
  if (before == nullptr || !before->is_object()) return;
  const Json* const now = identity.find("reads");
  Json reads{Json::Object()};
  for (const auto& [file, hash] : before->object()) {
    const Json* const current = now == nullptr ? nullptr : now->find(file);
    if (current != nullptr) {
      reads[file] = *current;
    } else if (!fs::exists(file)) {
      reads[file] = hash;
    }
  }
  if (now != nullptr) {
    for (const auto& [file, hash] : now->object()) reads[file] = hash;
  }
  if (!reads.object().empty()) identity["reads"] = std::move(reads);
}

std::string reason_to_run(const StepRun& run, const FilledStep& filled, const Json& record,
                          const Json& identity) {
  const Json* const earlier = record.find("identity");
  if (earlier == nullptr) return "not run yet";
  if (record.find("seconds") == nullptr) return "not finished";
  for (const std::string& file : filled.writes) {
    if (!fs::exists(run.folder / file)) return file + " is gone";
  }
  if (earlier->dump() == identity.dump()) return "";
  for (const auto& [part, message] : kParts) {
    const std::string what = difference(part, message, *earlier, identity);
    if (!what.empty()) return what;
  }
  return "a step before it has changed";
}

void move_outdated_aside(const StepRun& run, const RunInputs& inputs, const Json& record,
                         const Json& identity) {
  const Json* const earlier = record.find("identity");
  const bool goes_on = inputs.resumes && (earlier == nullptr || earlier->dump() == identity.dump());
  if (goes_on || !fs::exists(run.folder)) return;
  const std::string build = other_build(earlier);
  const std::string name = run.folder.string() + ".outdated" + (build.empty() ? "" : "-" + build);
  fs::path aside = name;
  for (int number = 2; fs::exists(aside); ++number) aside = name + "-" + std::to_string(number);
  fs::rename(run.folder, aside);
  log_info("the earlier output was moved to " + aside.string());
}

void write_record(const StepRun& run, const RunInputs& inputs, const Json& identity,
                  FileHashes& hashes, std::optional<double> seconds) {
  Json record;
  record["identity"] = identity;
  record["files"] = Json::Object();
  for (const fs::path& file : all_files(inputs)) {
    record["files"][file.string()] = hashes.entry(file);
  }
  if (seconds) record["seconds"] = *seconds;
  write_file(record_path(run), record.dump(2) + "\n");
}

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
