#include "train/loop/loop.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/system/log.h"
#include "data/tasks/list.h"
#include "data/tokens/batches.h"
#include "distributed/collective.h"
#include "train/checkpoints/checkpoints.h"
#include "train/curves/curves.h"

namespace rubric::train {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4f", value);
  return text;
}

Json update_event(const TrainState& state, RunLength length, const StepResult& result,
                  double learning_rate, double seconds) {
  Json event;
  event["event"] = "update";
  event["step"] = state.step;
  event["steps"] = length.total;
  event["loss"] = result.loss;
  event["lr"] = learning_rate;
  event["gradient_norm"] = result.gradient_norm;
  event["seconds"] = seconds;
  event["tokens_per_second"] = static_cast<double>(result.tokens) / seconds;
  return event;
}

Json validation_event(const ValidationPoint& point, const Validation& validation, double seconds) {
  Json event;
  event["event"] = "validation";
  event["step"] = point.step;
  event["epoch"] = point.epoch;
  event["train_loss"] = point.train_loss ? Json(*point.train_loss) : Json();
  event["dev_loss"] = validation.loss;
  event["statistic"] = validation.name;
  event["value"] = point.value ? Json(*point.value) : Json();
  event["parts"] = validation.parts;
  event["best"] = point.is_best;
  event["seconds"] = seconds;
  return event;
}

void warn_of(const Straggler& slow, int64_t step) {
  char times[32];
  std::snprintf(times, sizeof(times), "%.1f", slow.times);
  log_warning("rank " + std::to_string(slow.rank) + " holds up the others: recently it took " +
              times + " times as long as the median rank for as many tokens (update " +
              std::to_string(step) + ")");
}

// Returns the step stored in best/ if it is newer than `state`'s best validation, else 0. That
// happens after a kill between saving the best model and the checkpoint, or with a damaged
// checkpoint; the best model that `state` knows is then gone. The same ranks on the same machine
// reach that validation again bit for bit and replace best/ by the same model. Others round
// differently and might not find it best again, and an extension may validate at other updates: the
// first validation from that step on is then taken as the best regardless, and the run is not over
// before that, so that best/ and `state` agree in the end. An extension may also end before it; the
// step is then the last one.
int64_t step_to_replace(const distributed::Ranks& ranks, const RunDirectory* run,
                        const TrainState& state, RunLength length) {
  const ValidationPoint* best = best_validation(state);
  if (best == nullptr) return 0;  // the next validation replaces it
  const int64_t step =
      distributed::broadcast_from_main(ranks, [&] { return best_model_step(run->path()); });
  return step > best->step ? std::min(step, length.total) : 0;
}

// Whether a validation is better than the best so far. A gain over the start that four decimals do
// not show is a tie, and the start stays.
bool is_better(std::optional<double> value, const ValidationPoint& best) {
  constexpr double kTie = 5e-5;
  if (!value || !best.value) return value.has_value();
  return *value - *best.value > (best.step == 0 ? kTie : 0);
}

// Validates; if the metric value is the best so far, rank 0 saves the model and its predictions.
// The first model is saved even when its value is undefined, so that there is one. A stop leaves
// `state` unchanged.
void validate(Task& task, const distributed::Ranks& ranks, RunDirectory* run, TrainState& state,
              int64_t epoch, int64_t& replaced) {
  const auto start = Clock::now();
  Validation validation =
      distributed::run_on_all_ranks(ranks, [&] { return task.validate(ranks); });
  validation.is_start = state.step == 0;
  const ValidationPoint* best = best_validation(state);
  const bool is_best = best == nullptr || (replaced > 0 && state.step >= replaced) ||
                       is_better(validation.value, *best);
  if (is_best) replaced = 0;
  const auto train_loss =
      state.loss_steps == 0 ? std::nullopt
                            : std::optional(state.loss_sum / static_cast<double>(state.loss_steps));
  state.validations.push_back(
      {state.step, epoch, train_loss, validation.value, is_best, validation.loss});
  state.loss_sum = 0;
  state.loss_steps = 0;
  const ValidationPoint& point = state.validations.back();
  distributed::run_on_all_ranks(ranks, [&] {  // e.g. a full disk is explained once
    if (run == nullptr) return;
    if (is_best) save_best_model(*run, task, validation, point);
    run->log(validation_event(point, validation, seconds_since(start)));
  });
  log_metric("dev_loss", validation.loss, state.step);
  if (validation.value) log_metric(validation.name, *validation.value, state.step);
  log_info("epoch " + std::to_string(epoch) + ", update " + std::to_string(state.step) + ": " +
           (train_loss ? "training loss " + rounded(*train_loss) + ", " : "") + "dev loss " +
           rounded(validation.loss) + ", dev " + validation.name + " " +
           (validation.value ? rounded(*validation.value) : "undefined") +
           (is_best ? " (best so far)" : ""));
}

bool is_due(int64_t step, int64_t every) {
  return every > 0 && step % every == 0;
}

// Whether the current model is due to be validated and has not been.
bool is_validation_due(const TrainState& state, const RunConfig& config, RunLength length) {
  if (state.loss_steps == 0) return false;  // already validated, or no update yet
  if (config.validate_every == 0) return state.step % length.epoch == 0;
  return is_due(state.step, config.validate_every) || state.step == length.total;
}

bool patience_has_ended(const TrainState& state, const RunConfig& config, int64_t replaced) {
  const ValidationPoint* best = best_validation(state);
  if (best == nullptr || config.patience == 0 || replaced > 0) return false;
  return &state.validations.back() - best >= config.patience;  // validations without improvement
}

bool should_stop(const TrainState& state, const RunConfig& config, RunLength length,
                 int64_t replaced) {
  return state.step >= length.total || patience_has_ended(state, config, replaced);
}

// The global batches of one epoch, made when the first is requested.
struct EpochBatches {
  int64_t epoch = -1;
  std::vector<data::ExampleIndices> batches;

  const data::ExampleIndices& batch(int64_t step, RunLength length, const Task& task,
                                    const TrainConfig& config) {
    if (epoch != step / length.epoch) {
      epoch = step / length.epoch;
      batches = data::epoch_batches(task.lengths(), config.batches.size, config.batches.window,
                                    static_cast<uint64_t>(config.seed), epoch);
    }
    return batches[static_cast<size_t>(step % length.epoch)];
  }
};

// Rank 0's part of resuming a run: checks that the changed run can go on, and applies the changes.
void resume_run(RunDirectory& run, const TrainConfig& config, const TrainState& state,
                RunLength length, int64_t replaced) {
  if (state.step > length.total) {
    throw InputError("the run has made " + std::to_string(state.step) +
                         " updates already, more than the " + std::to_string(length.total) +
                         " that run.epochs " + std::to_string(config.run.epochs) + " allows",
                     run.path().string(), "set run.epochs higher");
  }
  const bool has_other_length = std::ranges::count(run.changes(), "run.epochs", &Change::key) > 0;
  if (has_other_length && patience_has_ended(state, config.run, replaced)) {
    throw InputError("run.patience " + std::to_string(config.run.patience) +
                         " has ended this run after update " + std::to_string(state.step) +
                         ": another run.epochs adds no updates",
                     run.path().string(), "raise run.patience too, or set it to 0");
  }
  if (state.step > 0) log_info("resuming after update " + std::to_string(state.step));
  if (!run.changes().empty()) {
    log_info("extended after update " + std::to_string(state.step) + ": " +
             describe_changes(run.changes()));
  }
  if (has_other_length && config.optimizer.schedule != "constant") {
    log_info("optimizer.schedule " + config.optimizer.schedule +
             " depends on the length: from here on the learning rate is that of a run of " +
             std::to_string(length.total) + " updates from the beginning (docs/training.md)");
  }
  run.apply_changes(config, state.step, length.total);
}

// Where the best model so far is, and how to use it: for the message of a stop.
std::string best_so_far(const TrainConfig& config, const TrainState& state) {
  const ValidationPoint* const best = best_validation(state);
  if (best == nullptr) return "";
  const std::string place = best_model_place(config.output).string();
  return "; the best model so far, of update " + std::to_string(best->step) + ", is " + place +
         ": " + std::string(data::require_task(config.task).use) + place;
}

constexpr int64_t kUpdates = 50;  // fewer are too noisy: shares differ
constexpr double kSlow = 1.5;

// The lower median.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

}  // namespace

RunLength run_length(const Task& task, const TrainConfig& config) {
  const auto examples = static_cast<int64_t>(task.lengths().size());
  const int64_t epoch = (examples + config.batches.size - 1) / config.batches.size;
  return {epoch, epoch * config.run.epochs};
}

TrainState train(Task& task, const TrainConfig& config, const distributed::Ranks& ranks,
                 RunDirectory* run, const Saved& saved) {
  // 1. The length of the run, and the state of an earlier start.
  const RunLength length = run_length(task, config);
  const std::unique_ptr<Optimizer> optimizer =
      make_optimizer(task.parameters(), config.optimizer,
                     config.optimizer.shard ? WorkShare{ranks.rank(), ranks.size()} : WorkShare{});
  TrainState state = resume_collectively(ranks, run, *optimizer, config.run.keep_checkpoints);
  int64_t replaced = step_to_replace(ranks, run, state, length);
  distributed::run_on_all_ranks(ranks, [&] {
    if (run != nullptr) resume_run(*run, config, state, length, replaced);
  });
  distributed::GradientReducer reducer(optimizer->tensors(), ranks);
  Progress progress("training", length.total, state.step);
  bool is_saved = true;
  const auto save = [&] {
    if (!is_saved) {
      ranks.set_activity("the checkpoint of update " + std::to_string(state.step));
      save_checkpoint(ranks, run, state, *optimizer, config.run.keep_checkpoints);
    }
    is_saved = true;
  };
  const auto show = [&](bool is_stopped) {
    ranks.set_activity("the report");
    distributed::run_on_all_ranks(ranks, [&] {
      if (run == nullptr) return;
      write_metrics_table(run->path());
      if (saved) saved(state, is_stopped);
    });
  };

  EpochBatches batches;
  StragglerDetector slow_ranks;
  try {
    if (task.starts_trained() && state.step == 0) {
      ranks.set_activity("the validation before the first update");
      validate(task, ranks, run, state, 0, replaced);
    }
    for (;;) {
      // 2. Validation and checkpoint, when they are due after the previous update.
      const bool validates = is_validation_due(state, config.run, length);
      if (validates) {
        progress.finish();
        ranks.set_activity("the validation after update " + std::to_string(state.step));
        validate(task, ranks, run, state, (state.step - 1) / length.epoch + 1, replaced);
        is_saved = false;
      }
      if (validates || is_due(state.step, config.run.checkpoint_every)) save();
      const bool ends = should_stop(state, config.run, length, replaced);
      // A run that was killed behind its last checkpoint lacks what is shown of it.
      if (validates || ends) show(false);
      if (ends) return state;

      // 3. The batch: a function of the seed, the epoch and the position in the epoch.
      const auto start = Clock::now();
      const double waited = ranks.seconds_waited();
      ranks.set_activity("update " + std::to_string(state.step + 1));
      const data::ExampleIndices& batch = batches.batch(state.step, length, task, config);

      // 4. The update.
      const double learning_rate = config.optimizer.learning_rate *
                                   schedule_factor(config.optimizer, state.step, length.total);
      const StepResult result =
          train_step(task, *optimizer, reducer, ranks, batch, state.step, config.batches.max_tokens,
                     learning_rate, config.optimizer.max_gradient_norm);
      ++state.step;
      state.loss_sum += result.loss;
      ++state.loss_steps;
      is_saved = false;
      if (run != nullptr) {
        run->log(update_event(state, length, result, learning_rate, seconds_since(start)));
      }
      const double computed = seconds_since(start) - (ranks.seconds_waited() - waited);
      const Work work{computed, static_cast<double>(result.share_tokens)};
      if (const auto slow = slow_ranks.add(work, ranks)) warn_of(*slow, state.step);
      log_metric("loss", result.loss, state.step);
      progress.update(state.step, "loss " + rounded(result.loss));
    }
  } catch (const Interrupted&) {  // thrown only where `state` matches the parameters
    save();                       // on all ranks: launchers end a job when the first rank ends
    show(true);
    throw Interrupted("stopped on request after update " + std::to_string(state.step) +
                          best_so_far(config, state),
                      config.output);
  }
}

std::optional<Straggler> slow_rank(std::span<const Work> ranks) {
  std::vector<double> seconds, seconds_per_token;
  size_t slowest = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].tokens <= 0) continue;
    seconds.push_back(ranks[i].seconds);
    seconds_per_token.push_back(ranks[i].seconds / ranks[i].tokens);
    if (seconds.size() == 1 || ranks[i].seconds > ranks[slowest].seconds) slowest = i;
  }
  if (seconds.empty()) return std::nullopt;
  const double median_seconds = median(seconds), median_per_token = median(seconds_per_token);
  if (median_seconds <= 0 || median_per_token <= 0) return std::nullopt;  // the clock is too coarse
  const double times = ranks[slowest].seconds / ranks[slowest].tokens / median_per_token;
  if (ranks[slowest].seconds <= kSlow * median_seconds || times <= kSlow) return std::nullopt;
  return Straggler{static_cast<int>(slowest), times};
}

std::optional<Straggler> StragglerDetector::add(const Work& work, const distributed::Ranks& ranks) {
  work_.seconds += work.seconds;
  work_.tokens += work.tokens;
  if (++updates_ < kUpdates) return std::nullopt;
  updates_ = 0;
  std::vector<Work> all(static_cast<size_t>(ranks.size()));
  all[static_cast<size_t>(ranks.rank())] = std::exchange(work_, {});
  std::vector<double> flat;
  for (const Work& each : all) flat.insert(flat.end(), {each.seconds, each.tokens});
  ranks.all_reduce_sum(flat);
  for (size_t i = 0; i < all.size(); ++i) all[i] = {flat[2 * i], flat[2 * i + 1]};
  return slow_rank(all);
}

}  // namespace rubric::train
