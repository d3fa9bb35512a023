#include "train/loop/run_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <torch/version.h>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "eval/report/plots.h"
#include "eval/result/render.h"
#include "rubric/version.h"

namespace rubric::train {
namespace {

using Clock = std::chrono::steady_clock;

// Both losses at each validation; nothing where a run of an older build has no dev loss.
std::vector<eval::Plot> loss_plot(std::span<const ValidationPoint> validations) {
  std::vector<eval::Curve> curves(2);
  curves[0].name = "training";
  curves[1].name = "dev";
  for (const ValidationPoint& point : validations) {
    if (!point.dev_loss) continue;
    const auto step = static_cast<double>(point.step);
    if (point.train_loss) curves[0].points.emplace_back(step, *point.train_loss);
    curves[1].points.emplace_back(step, *point.dev_loss);
  }
  if (curves[0].points.empty()) return {};
  eval::Plot plot = eval::curve_plot(
      "Loss at validations: training (mean since the one before) and dev", "loss", curves);
  plot.starts_at_zero = true;
  return {plot};
}

}  // namespace

RunReport::RunReport(const TrainConfig& config, RunLength length, std::string data,
                     std::string command)
    : run_(config.output),
      hold_out_(config.data.hold_out.empty() ? "nothing" : join(config.data.hold_out)),
      data_(std::move(data)),
      command_(std::move(command)),
      length_(length),
      epochs_(config.run.epochs) {}

void RunReport::update(const TrainState& state, bool is_stopped) {
  constexpr double kShare = 0.1;  // of the time
  if (!is_stopped && cost_ > kShare * (Clock::now() - written_)) return;
  const std::string made = std::to_string(state.step) + " of at most " +
                           std::to_string(length_.total) +
                           " updates (run.epochs: " + std::to_string(epochs_) + ").";
  try {
    Context context = current_context();
    context
        .cancellation = {};  // a stop request does not end the writing of the page that reports it
    const ContextScope scope(context);
    write(state,
          is_stopped ? "Stopped: " + made + " The same command resumes the run."
                     : "In training: " + made,
          result(state, {}));
  } catch (const Error& error) {
    log_warning("report.html is not up to date: " + one_line(error));
  }
}

void RunReport::finish(const TrainState& state, const Result& result) {
  write(state, "Finished after " + std::to_string(state.step) + " updates.", result);
}

Result RunReport::result(const TrainState& state, const eval::RunOutcome& outcome) const {
  Result result = eval::training_result(state.validations, outcome);
  result.title = "Training";
  result.records.push_back(eval::held_records({.name = "run",
                                               .title = "Run",
                                               .columns = {"data", "held out", "builds"},
                                               .is_printed = false,
                                               .is_whole = true},
                                              {{data_, hold_out_, join(builds_of(run_))}}));
  result.signature = "rubric:" + version_with_build() + "|libtorch:" + TORCH_VERSION;
  return result;
}

void RunReport::write(const TrainState& state, const std::string& progress, Result result) {
  const auto start = Clock::now();
  const std::filesystem::path log = run_ / "log.jsonl";
  std::vector<std::string> notes = describe_extensions(log);
  notes.insert(notes.begin(), progress);
  result.title += " " + run_.filename().string();
  result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
  result.plots = eval::learning_curves(log);
  std::ranges::move(loss_plot(state.validations), std::back_inserter(result.plots));
  write_report(result, run_ / "report.html", command_);
  written_ = Clock::now();
  cost_ = written_ - start;
}

}  // namespace rubric::train
