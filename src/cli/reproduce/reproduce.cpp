// rubric reproduce EXPERIMENT.yaml: carries out the missing runs behind a paper's table, then
// compares the paper's values with ours.
#include "cli/reproduce/reproduce.h"

#include <algorithm>
#include <iostream>
#include <span>

#include "cli/shared/program.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/files/shipped_files.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/system/signals.h"
#include "eval/reproduce/report.h"
#include "eval/reproduce/run.h"

namespace rubric::cli {
namespace {

int start_here(const std::vector<std::string>& command, const std::string& output,
               const std::string& errors) {
  std::vector<std::string> words = {(program_directory() / "rubric").string()};
  words.insert(words.end(), command.begin(), command.end());
  return run_process(words, {"/dev/null", output, errors});
}

std::string last_lines(const std::filesystem::path& file) {
  constexpr size_t kMost = 5;
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(file, unreadable)) return "";
  std::vector<std::string> lines;
  LineReader reader(file);
  for (std::string line; reader.next(line);) {
    lines.push_back("  | " + line);
    if (lines.size() > kMost) lines.erase(lines.begin());
  }
  return join(lines, "\n");
}

void warn_of(const eval::MissingInputs& missing_inputs) {
  if (missing_inputs.missing.empty()) return;
  log_warning("not on this machine, and steps that need it are left out:\n  " +
              join(missing_inputs.missing, "\n  ") +
              "\n  to do: get it; if it is a data set, set RUBRIC_DATA to the folder that has it");
}

// The outcome for all cells: what this start did, and what earlier ones left of the steps that
// --only leaves out.
eval::ExperimentOutcome outcome_of_all(const eval::Experiment& experiment, const eval::Plan& all,
                                       const eval::Plan& plan,
                                       const eval::ExperimentOutcome& outcome) {
  eval::ExperimentOutcome whole =
      eval::carry_out(experiment, all, eval::find_missing_inputs(experiment, all), {});
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const auto same = std::ranges::find(all.runs, plan.runs[i].name, &eval::StepRun::name);
    whole.runs[static_cast<size_t>(same - all.runs.begin())] = outcome.runs[i];
  }
  return whole;
}

void write_report(const eval::Experiment& experiment, const eval::Plan& plan,
                  const eval::ExperimentOutcome& outcome) {
  const auto file = experiment.output / experiment.name() / "report.html";
  make_directories(file.parent_path());
  const std::vector<eval::CellResult> cells = eval::cell_results(experiment, plan, outcome);
  rubric::write_report(eval::experiment_result(experiment, plan, outcome, cells), file,
                       command_line());
  log_info("report: " + file.string());
}

// When nothing can be done, the user's input is wrong: exit code 2.
void require_something_done(const eval::Plan& plan, const eval::ExperimentOutcome& outcome) {
  const bool is_nothing_done =
      std::all_of(outcome.runs.begin(), outcome.runs.end(),
                  [](const eval::RunStatus& run) { return run.state == eval::RunState::not_run; });
  if (!is_nothing_done) return;
  throw InputError("nothing can run: " + outcome.runs.front().why, plan.runs.front().name,
                   "get what the warning lists, then start again");
}

// Warns of runs that were left out. Returns which failed, "" if none did.
std::string failures(const eval::Plan& plan, const eval::ExperimentOutcome& outcome) {
  std::vector<std::string> failed;
  std::string log;
  size_t left_out = 0;
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const eval::RunStatus& status = outcome.runs[i];
    left_out += status.state == eval::RunState::not_run ? 1 : 0;
    if (status.state != eval::RunState::failed) continue;
    if (failed.empty()) log = last_lines(eval::log_path(plan.runs[i]));
    failed.push_back(plan.runs[i].name + " " + status.why);
  }
  if (left_out > 0) {
    log_warning(std::to_string(left_out) + " of " + std::to_string(plan.runs.size()) +
                " steps are left out; the table says why");
  }
  if (failed.empty()) return "";
  return Error(join_some(failed, "\n") + (log.empty() ? "" : "\n" + log), "",
               "correct it and start again: what is done is kept")
      .what();
}

}  // namespace

Result reproduce(const ReproduceRequest& request, const Context& context) {
  const ContextScope scope(context);
  const auto file = find_shipped("experiment", "experiments", request.experiment);
  const eval::Experiment experiment = eval::read_experiment(file, step_commands());
  const eval::Plan plan = eval::make_plan(experiment, request.only);
  const eval::MissingInputs missing_inputs = eval::find_missing_inputs(experiment, plan);
  warn_of(missing_inputs);
  if (request.is_dry_run || request.launcher == Launcher::slurm) {
    const eval::ExperimentOutcome outcome = eval::carry_out(experiment, plan, missing_inputs, {});
    if (request.is_dry_run) {
      return eval::dry_run_result(experiment, plan, outcome, request.is_verbose);
    }
    std::cout << eval::slurm_script(experiment, plan, outcome,
                                    (program_directory() / "rubric").string());
    return {};
  }
  catch_stop_signals();
  const eval::ExperimentOutcome outcome =
      eval::carry_out(experiment, plan, missing_inputs, start_here);
  require_something_done(plan, outcome);
  const std::vector<eval::CellResult> cells = eval::cell_results(experiment, plan, outcome);
  Result result = eval::experiment_result(experiment, plan, outcome, cells);
  if (!cells.empty()) {
    const bool has_all = request.only.empty();
    const eval::Plan all = has_all ? plan : eval::make_plan(experiment, "");
    write_report(experiment, all,
                 has_all ? outcome : outcome_of_all(experiment, all, plan, outcome));
  }
  result.failure = failures(plan, outcome);
  return result;
}

}  // namespace rubric::cli
