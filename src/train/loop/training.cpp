#include "train/loop/training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "config/printer.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/list_table.h"
#include "core/system/log.h"
#include "data/model_files/model_directory.h"
#include "data/tasks/list.h"
#include "distributed/collective.h"
#include "distributed/cuda.h"
#include "eval/agreement/agreement.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "models/plain_errors.h"
#include "rubric/version.h"
#include "stats/significance.h"
#include "train/checkpoints/checkpoints.h"
#include "train/checkpoints/run_directory.h"
#include "train/loop/loop.h"
#include "train/loop/run_report.h"
#include "train/settings/train_setup.h"
#include "train/task.h"

namespace rubric::train {
namespace {

constexpr auto kOpeners =
    table_of<data::kTasks>([]<const data::TaskKind & kind>() { return open_task<kind>; });

std::unique_ptr<Task> open_named_task(const TrainConfig& config,
                                      const std::filesystem::path& directory) {
  return entry_of<data::kTasks>(kOpeners, data::require_task(config.task))(config, directory);
}

// The parts of the metric value of the validation at `step`, from the run's log.
Json validation_parts(const std::filesystem::path& run, int64_t step) {
  Json found;
  eval::visit_log(run / "log.jsonl", [&](const Json& event, const std::string&, const auto& where) {
    const Json* const parts = event.find("parts");
    if (parts != nullptr && event.require_integer("step", where) == step) found = *parts;
  });
  return found;
}

// The best model's scores of the dev rows at its validation.
std::vector<double> predictions_of(const std::filesystem::path& run, const std::string& task) {
  std::vector<double> scores;
  LineReader rows(run / "predictions" / "dev.jsonl");
  for (std::string line; rows.next(line);) {
    const Json row = Json::parse(line, rows.where());
    scores.push_back(row.require("scores", rows.where()).require_number(task, rows.where()));
  }
  return scores;
}

// Of the difference to the highest baseline; nullopt where there is none, or it is no difference of
// Pearson's r over all rows but of means over constituents.
std::optional<DifferenceTest> test_of_best(const TrainSetup& setup, const Task& task,
                                           const DevValue& run, const std::vector<double>& scores,
                                           const Baseline& highest) {
  const std::span<const Answer> rows = task.dev_answers();
  const auto is_of_another = [&](const Answer& row) {
    return row.constituent != rows.front().constituent;
  };
  const bool is_mean =
      !setup.config.run.pooled_validation && std::ranges::any_of(rows, is_of_another);
  if (is_mean || !run.value || !highest.dev.value || *run.value == *highest.dev.value) return {};
  return test_difference(
      rows, scores,
      highest.scores.empty() ? task.score_dev_answers(setup.encoder) : highest.scores);
}

// Compares the best model with the start and the baselines on the dev rows;
// says where it is not better. Nothing where the task has no baselines. `scores`: the best model's.
std::vector<DevValue> compare_best(const TrainSetup& setup, Task& task, const TrainState& state,
                                   const std::vector<double>& scores,
                                   std::vector<std::string>& notes) {
  const TrainConfig& config = setup.config;
  const ValidationPoint& best = *best_validation(state);
  const ValidationPoint& first = state.validations.front();
  std::vector<Baseline> baselines = task.baselines();
  const DevValue run{"this run", best.value};
  if (first.step == 0) baselines.push_back({{config.model.name + " as it was", first.value}, {}});
  if (baselines.empty()) return {};
  const auto by_value = [](const DevValue& each) {
    return each.value.value_or(-std::numeric_limits<double>::infinity());
  };
  const auto highest = std::ranges::max_element(
      baselines, {}, [&](const Baseline& each) { return by_value(each.dev); });
  if (best.step == 0) {
    notes.push_back("No update made the model better on the dev rows: model/ is " +
                    config.model.name + " as it was, with a threshold of these rows.");
  }
  const std::string note = comparison_note(
      run.value, highest->dev, test_of_best(setup, task, run, scores, *highest), best.step == 0);
  if (!note.empty()) notes.push_back(note);
  std::vector<DevValue> comparison = {run};
  for (const Baseline& each : baselines) comparison.push_back(each.dev);
  std::ranges::stable_sort(comparison, std::greater(), by_value);
  return comparison;
}

// Publishes the best model as model/, and writes results.json, which marks the run as finished.
void finish(const TrainSetup& setup, Task& task, RunDirectory& directory, const TrainState& state,
            RunReport& page, TrainResult& result) {
  const std::filesystem::path& run = directory.path();
  const ValidationPoint* best = best_validation(state);
  publish_best_model(run, best->step);
  const data::ModelCard card = data::read_model_card(run / "model");
  std::vector<double> scores;  // of the dev rows, where there is one a row
  if (!card.scale.empty()) scores = predictions_of(run, card.task);
  std::vector<std::string> notes;
  std::vector<DevValue> comparison = compare_best(setup, task, state, scores, notes);
  std::ranges::move(task.notes(scores), std::back_inserter(notes));
  result.report = page.result(state, {.statistic = card.validation,
                                      .parts = validation_parts(run, best->step),
                                      .updates = state.step,
                                      .comparison = std::move(comparison)});
  result.report.notes = std::move(notes);
  Result kept = result.report;  // with what this call has warned of
  std::ranges::move(task.data_notes(), std::back_inserter(kept.notes));
  page.finish(state, kept);
  write_file(run / "results.json", print(kept, OutputFormat::json));
}

// Logs where the model of a finished run is. Throws InputError when it is missing: the last
// checkpoint need not be the best model.
void report_finished(const std::filesystem::path& run) {
  const std::filesystem::path model = run / "model";
  const std::string what_to_do = "put it back, or delete the run directory to train again";
  if (!is_there(model / "rubric.yaml", what_to_do)) {
    throw InputError("this run is finished, but its model is gone", model.string(), what_to_do);
  }
  log_info("this run is finished: " + model.string());
  const std::vector<std::string> builds = builds_of(run);
  if (!builds.empty() && builds.back() != version_with_build()) {
    log_warning("another build of rubric has trained it, " + builds.back() +
                ": delete the run directory to train again with this one");
  }
}

// Collective; rank 0 opens first, so that the others find the tokenised data.
std::unique_ptr<Task> open_task_on_ranks(const distributed::Ranks& ranks, const TrainSetup& setup) {
  std::unique_ptr<Task> task;
  for (const bool is_turn_of_main : {true, false}) {
    auto opened = distributed::run_on_all_ranks(ranks, [&] {
      return ranks.is_main() == is_turn_of_main ? open_named_task(setup.config, setup.encoder)
                                                : nullptr;
    });
    if (opened) task = std::move(opened);
  }
  return task;
}

}  // namespace

DifferenceTest test_difference(std::span<const Answer> rows, const std::vector<double>& scores,
                               const std::vector<double>& baseline) {
  std::vector<double> labels;
  std::vector<eval::QuestionHash> questions;
  eval::QuestionHashes hashes;
  for (const Answer& row : rows) {
    labels.push_back(row.score.value());
    questions.push_back(hashes.add(row));
  }
  const stats::Clusters clusters = stats::clusters_by(questions);
  const AgreementTest test = eval::automatic_test(clusters);
  const auto results =
      eval::test_correlations(labels, std::vector{scores, baseline}, clusters, test,
                              {.permutations = stats::permutations_for({}, 1)});
  return {test, results.front() ? std::optional(results.front()->p) : std::nullopt, rows.size()};
}

std::string comparison_note(std::optional<double> run, const DevValue& highest,
                            const std::optional<DifferenceTest>& test, bool is_start) {
  if (!run) {
    return "The dev score is undefined, as the model scores dev rows alike: it chose no update.";
  }
  if (!highest.value) return "";
  if (std::max(*run, *highest.value) < 0) {
    return "All dev scores are negative: check that a higher label is the better one.";
  }
  const double gain = *run - *highest.value;
  if (gain == 0 && is_start) return "";  // the highest may be the start itself
  if (!test) {
    return gain > 0 ? ""
                    : "The model is not better on the dev rows than " + highest.name +
                          ". The difference is not tested.";
  }
  constexpr double kSignificant = 0.05;
  const bool is_significant = test->p && *test->p <= kSignificant;
  const std::string size = eval::format_fixed(std::abs(gain), 4),
                    p = test->p ? "p " + eval::p_cell(*test->p) : "no p",
                    rows = std::to_string(test->rows) + " dev rows",
                    name = test->test == AgreementTest::williams ? "Williams' test"
                                                                 : "permutation test by question";
  constexpr double kTie = 5e-5;  // prints as 0.0000
  if (std::abs(gain) < kTie) return "The model is as good on the dev rows as " + highest.name + ".";
  if (gain > 0) {
    return "The gain over " + highest.name + ", " + size + ", has " + p + " (" + name + ", " +
           rows + ")" +
           (is_significant ? ". This p is too small, because these rows chose the model."
                           : ": it may be chance.");
  }
  const std::string higher = highest.name + " is higher on the dev rows by " + size + ", with " + p;
  return is_significant
             ? higher + " (" + name + ", " + rows + "): use that, or train on more judgements."
             : higher + " (" + name + "): " + rows +
                   " cannot tell which of the two is better, more dev rows can.";
}

std::string describe_run(const TrainRequest& request) {
  auto [config, encoder, resume] = read_train_setup(request);
  const auto changes =
      holds_run(config, input_hashes(config, encoder), resume, request.extend).value_or(Changes());
  std::string printed = config::print_config(config);
  if (!changes.empty()) printed += "# extends the run: " + describe_changes(changes) + "\n";
  config.data.store.clear();
  config.device = "cpu";  // nothing is computed
  return printed + "# " + open_named_task(config, encoder)->describe() + "\n";
}

TrainResult train_on(const distributed::Ranks& ranks, const TrainRequest& request) {
  ranks.set_activity("reading the configuration");
  // 1. Every rank reads the same configuration and the same files.
  const TrainSetup setup =
      distributed::run_on_all_ranks(ranks, [&] { return read_train_setup(request); });
  const TrainConfig& config = setup.config;
  const Json inputs =
      distributed::run_on_all_ranks(ranks, [&] { return input_hashes(config, setup.encoder); });
  distributed::require_agreement(ranks, run_facts(config, inputs));
  ranks.set_timeout(config.run.timeout);

  // 2. Rank 0 opens the run directory.
  const bool was_finished = distributed::run_on_all_ranks(ranks, [&] {
    if (!ranks.is_main()) return false;
    const auto earlier = holds_run(config, inputs, setup.resume, request.extend);
    const bool is_done = earlier && earlier->empty() && is_finished(config.output);
    if (is_done) report_finished(config.output);
    return is_done;
  });
  TrainResult result{config.output, std::filesystem::path(config.output) / "model", {}, false};
  if (ranks.any(was_finished)) {
    result.was_finished = true;
    return result;
  }
  if (config.threads > 0) at::set_num_threads(static_cast<int>(config.threads));
  if (config.device == "cuda") {
    distributed::run_on_all_ranks(ranks, [&] { distributed::use_gpu(ranks); });
    distributed::open_nccl(ranks, config.run.timeout);
  }
  ranks.set_activity("reading the data");
  const std::unique_ptr<Task> task = open_task_on_ranks(ranks, setup);
  log_info(task->describe());
  const std::unique_ptr<RunDirectory> run = distributed::run_on_all_ranks(ranks, [&] {
    return ranks.is_main()
               ? std::make_unique<RunDirectory>(config, inputs, setup.resume, request.extend)
               : nullptr;
  });

  // 3. Training.
  RunReport report(config, run_length(*task, config), task->describe(), request.command);
  const TrainState state =
      train::train(*task, config, ranks, run.get(),
                   [&](const TrainState& now, bool is_stopped) { report.update(now, is_stopped); });
  ranks.set_activity("the report");
  distributed::run_on_all_ranks(ranks, [&] {
    if (run) finish(setup, *task, *run, state, report, result);
  });
  result.validations = state.validations;
  return result;
}

}  // namespace rubric::train

namespace rubric {
namespace {

// Gives libtorch back its settings, which a configuration's `threads` and `device` may change.
class LibtorchSettings {
 public:
  LibtorchSettings() = default;
  ~LibtorchSettings() {
    at::set_num_threads(threads_);
    at::Context& context = at::globalContext();
    context.setAllowTF32CuBLAS(allows_tf32_);
    context.setDeterministicAlgorithms(is_deterministic_, only_warns_);
    context.setDeterministicFillUninitializedMemory(fills_memory_);
    context.setSDPUseCuDNN(uses_cudnn_);
  }
  LibtorchSettings(const LibtorchSettings&) = delete;
  LibtorchSettings& operator=(const LibtorchSettings&) = delete;

 private:
  const at::Context& context_ = at::globalContext();
  const int threads_ = at::get_num_threads();
  const bool allows_tf32_ = context_.allowTF32CuBLAS();
  const bool is_deterministic_ = context_.deterministicAlgorithms();
  const bool only_warns_ = context_.deterministicAlgorithmsWarnOnly();
  const bool fills_memory_ = context_.deterministicFillUninitializedMemory();
  const bool uses_cudnn_ = context_.userEnabledCuDNNSDP();
};

}  // namespace

TrainResult train_model(const TrainRequest& request, const Context& context) {
  const ContextScope scope(context);
  const LibtorchSettings settings;
  return models::with_plain_errors(
      models::kTrainMemory, [&] { return train::train_on(distributed::kSingleProcess, request); });
}

}  // namespace rubric
