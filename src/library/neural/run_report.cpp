#include "library/neural/run_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <torch/version.h>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "eval/report/plots.h"
#include "eval/report/report.h"
#include "rubric/version.h"

namespace rubric::library {
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

eval::Table validation_table(std::span<const ValidationPoint> validations) {
  eval::Table table;
  table.title = "Validation";
  table.header = {"epoch", "update", "training loss", "dev loss", "dev score", "best yet"};
  for (const ValidationPoint& point : validations) {
    table.rows.push_back({std::to_string(point.epoch), std::to_string(point.step),
                          point.train_loss ? eval::format_fixed(*point.train_loss, 4) : "–",
                          point.dev_loss ? eval::format_fixed(*point.dev_loss, 4) : "–",
                          point.value ? eval::format_fixed(*point.value, 4) : "undefined",
                          point.is_best ? "yes" : ""});
  }
  return table;
}

eval::Table comparison_table(std::span<const DevValue> comparison, size_t validations) {
  eval::Table table;
  table.title = "On the dev rows";
  if (validations > 1) {
    table.title +=
        "; this run: the best of " + std::to_string(validations) + " validations on these rows";
  }
  table.header = {"", "dev score"};
  for (const DevValue& each : comparison) {
    table.rows.push_back(
        {each.name, each.value ? eval::format_fixed(*each.value, 4) : "undefined"});
  }
  return table;
}

RunReport::RunReport(const train::TrainConfig& config, train::RunLength length, std::string data,
                     std::string command)
    : run_(config.output),
      hold_out_(config.data.hold_out.empty() ? "nothing" : join(config.data.hold_out)),
      data_(std::move(data)),
      command_(std::move(command)),
      length_(length),
      epochs_(config.run.epochs) {}

void RunReport::update(const train::TrainState& state, bool is_stopped) {
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
    write(state, is_stopped ? "Stopped: " + made + " The same command resumes the run."
                            : "In training: " + made);
  } catch (const Error& error) {
    log_warning("report.html is not up to date: " + one_line(error));
  }
}

void RunReport::finish(const train::TrainState& state, const TrainResult& result) {
  write(state, "Finished after " + std::to_string(state.step) + " updates.", result);
}

void RunReport::write(const train::TrainState& state, const std::string& progress,
                      const TrainResult& result) {
  const auto start = Clock::now();
  const std::filesystem::path log = run_ / "log.jsonl";
  eval::Report report;
  report.title = "Training " + run_.filename().string();
  report.paragraphs = {progress, data_, "Held out: " + hold_out_};
  std::ranges::move(train::describe_extensions(log), std::back_inserter(report.paragraphs));
  report.paragraphs.insert(report.paragraphs.end(), result.notes.begin(), result.notes.end());
  if (!result.comparison.empty())
    report.tables = {comparison_table(result.comparison, state.validations.size())};
  report.tables.push_back(validation_table(state.validations));
  report.plots = eval::learning_curves(log);
  std::ranges::move(loss_plot(state.validations), std::back_inserter(report.plots));
  report.command = command_;
  report.versions = {"rubric " + version_with_build(), std::string("libtorch ") + TORCH_VERSION};
  write_file(run_ / "report.html", eval::to_html(report));
  written_ = Clock::now();
  cost_ = written_ - start;
}

}  // namespace rubric::library
