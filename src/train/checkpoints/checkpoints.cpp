#include "train/checkpoints/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <span>
#include <thread>
#include <utility>

#include <ATen/core/grad_mode.h>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "distributed/collective.h"
#include "models/weights/weights.h"
#include "train/checkpoints/run_directory.h"

namespace rubric::train {

namespace {
namespace fs = std::filesystem;

constexpr const char* kPrefix = "step-";
constexpr const char* kModel = "model.safetensors";
constexpr const char* kOptimizer = "optimizer";  // the prefix of its file names
constexpr const char* kSharedFolder =
    "with optimizer.shard every rank writes in the run directory: choose one on a file system that "
    "they share";
constexpr const char* kState = "state.json";

std::string checkpoint_name(int64_t step) {
  char name[32];
  std::snprintf(name, sizeof(name), "%s%06lld", kPrefix, static_cast<long long>(step));
  return name;
}

// Returns the update in a checkpoint's name, -1 for any other name.
int64_t step_of_directory(const fs::path& folder) {
  const std::string name = folder.filename().string();
  int64_t step = -1;
  if (name.starts_with(kPrefix)) {
    std::from_chars(name.data() + std::strlen(kPrefix), name.data() + name.size(), step);
  }
  return step >= 0 && name == checkpoint_name(step) ? step : -1;
}

// Shards are named as transformers names them: "optimizer-00001-of-00004.safetensors".
std::string optimizer_file(WorkShare share) {
  char part[64] = "";
  if (share.count > 1) {
    std::snprintf(part, sizeof(part), "-%05lld-of-%05lld", static_cast<long long>(share.index + 1),
                  static_cast<long long>(share.count));
  }
  return kOptimizer + std::string(part) + ".safetensors";
}

// Newest first.
std::vector<fs::path> all_checkpoints(const fs::path& directory) {
  std::vector<fs::path> found;
  if (!fs::is_directory(directory)) return found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (step_of_directory(entry.path()) >= 0) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return step_of_directory(a) > step_of_directory(b);
  });
  return found;
}

models::NamedTensors tensors_of(const SealedDirectory& checkpoint, const std::string& name) {
  return models::parse_safetensors(checkpoint.read(name), checkpoint.path(name));
}

// The optimiser's state from all of its shards: every listed file except the other two.
models::NamedTensors optimizer_of(const SealedDirectory& checkpoint) {
  models::NamedTensors all;
  for (const std::string& name : checkpoint.names()) {
    if (name == kState || name == kModel) continue;
    std::ranges::move(tensors_of(checkpoint, name), std::back_inserter(all));
  }
  return all;
}

// The saved values of the parameters, in their order.
std::vector<at::Tensor> saved_parameters(const models::NamedTensors& tensors,
                                         const std::string& file, const Parameters& parameters) {
  std::vector<at::Tensor> values;
  for (const Parameter& parameter : parameters) {
    const at::Tensor* found = models::find_tensor(tensors, parameter.name);
    if (found == nullptr || found->sizes() != parameter.tensor.sizes()) {
      throw InputError(parameter.name + " is missing or has another shape", file, kOfAnotherRun);
    }
    values.push_back(*found);
  }
  return values;
}

// Deletes `checkpoints[first]` and all after it.
void remove_from(const std::vector<fs::path>& checkpoints, size_t first) {
  for (size_t i = first; i < checkpoints.size(); ++i) discard(checkpoints[i]);
}

// Renames the refused checkpoints, so that they do not count and do not occupy the name of a later
// one.
void set_aside(std::span<const fs::path> refused) {
  for (const fs::path& checkpoint : refused) {
    const fs::path aside = checkpoint.string() + ".refused";
    if (fs::exists(aside)) discard(aside);
    fs::rename(checkpoint, aside);
    log_warning("the refused checkpoint is kept as " + aside.string() + "; it is safe to delete");
  }
}

Resumed restore(const fs::path& folder, Optimizer& optimizer) {
  const SealedDirectory checkpoint(folder);
  const std::string state_file = checkpoint.path(kState);
  TrainState state = state_from(Json::parse(checkpoint.read(kState), state_file), state_file);
  if (state.step != step_of_directory(folder)) {
    throw InputError("the state comes from update " + std::to_string(state.step) +
                         ", not from the one in the directory's name",
                     state_file, kOfAnotherRun);
  }
  const std::vector<at::Tensor> values = saved_parameters(
      tensors_of(checkpoint, kModel), checkpoint.path(kModel), optimizer.parameters());
  models::NamedTensors saved = optimizer_of(checkpoint);
  optimizer.load(saved, folder.string());
  // Everything has been read: nothing below can fail half-way.
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < values.size(); ++i) optimizer.parameters()[i].tensor.copy_(values[i]);
  return {std::move(state), std::move(saved)};
}

// Writes this rank's part of a checkpoint.
void write_part(const fs::path& folder, bool is_main, const TrainState& state,
                const Optimizer& optimizer) {
  if (is_main) {
    models::NamedTensors tensors;
    for (const Parameter& parameter : optimizer.parameters()) {
      tensors.emplace_back(parameter.name, parameter.tensor.detach());
    }
    models::write_safetensors(folder / kModel, tensors);
    write_file(folder / kState, to_json(state).dump(2) + "\n");
  }
  optimizer.save(folder / optimizer_file(optimizer.share()));
}

// Writes every rank's part of a checkpoint into the directory that rank 0 names.
void write_collectively(const distributed::Ranks& ranks, const fs::path& folder_of_main,
                        const TrainState& state, const Optimizer& optimizer) {
  // Rank 0 joins here, with its problem, when it could not make the directory.
  distributed::throw_collectively(ranks, nullptr);
  const fs::path folder = ranks.broadcast(folder_of_main.string());
  distributed::run_on_all_ranks(ranks, [&] {
    write_part(folder, ranks.is_main(), state, optimizer);
    return true;
  });
}

// The files of a checkpoint with so many shards.
std::vector<std::string> file_names(int64_t shares) {
  std::vector<std::string> names = {kState, kModel};
  for (int64_t index = 0; index < shares; ++index) names.push_back(optimizer_file({index, shares}));
  return names;
}

// Waits until `file` exists; false when it does not after five seconds, as long as an NFS client
// may serve its cached view.
bool wait_for(const fs::path& file) {
  using namespace std::chrono_literals;
  constexpr auto kPause = 100ms;
  for (auto left = 5s / kPause; !is_there(file, kSharedFolder); --left) {
    if (left == 0) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

// Throws InputError on all ranks unless each sees rank 0's run directory, not another one of that
// name: rank 0 makes a file with a unique name in it, and the others look for it.
void require_shared(const distributed::Ranks& ranks, const RunDirectory* run) {
  const fs::path made = distributed::run_on_all_ranks(ranks, [&] {
    const fs::path file = run ? partial_path(fs::absolute(run->path()) / "seen") : fs::path();
    if (run) write_file(file, "");
    return file;
  });
  const fs::path file = ranks.broadcast(made.string());
  std::exception_ptr problem;
  try {
    distributed::run_on_all_ranks(ranks, [&] {
      if (wait_for(file)) return true;
      throw InputError("this rank does not see the run directory of rank 0",
                       file.parent_path().string(), kSharedFolder);
    });
  } catch (...) {
    problem = std::current_exception();
  }
  if (run) discard(made);
  if (problem) std::rethrow_exception(problem);
}

// Rank 0's part of save_checkpoint().
void save_here(const distributed::Ranks& ranks, RunDirectory& run, const TrainState& state,
               const Optimizer& optimizer, int64_t keep) {
  const fs::path checkpoints = run.path() / "checkpoints";
  run.sync_log();  // the logged events that the checkpoint counts must survive a power failure
  run.replace_directory("checkpoints/" + checkpoint_name(state.step), [&](const fs::path& partial) {
    if (optimizer.share().count > 1) {
      write_collectively(ranks, fs::absolute(partial), state, optimizer);
    } else {
      write_part(partial, true, state, optimizer);
    }
    return file_names(optimizer.share().count);
  });
  for (const fs::path& folder : {run.path(), checkpoints}) delete_discarded(folder);
  remove_from(all_checkpoints(checkpoints), static_cast<size_t>(keep));
}

ValidationPoint point_from(const Json& json, const std::string& where) {
  ValidationPoint point;
  point.step = json.require_integer("step", where);
  point.epoch = json.require_integer("epoch", where);
  if (!json.require("train_loss", where).is_null()) {
    point.train_loss = json.require_number("train_loss", where);
  }
  if (!json.require("value", where).is_null()) point.value = json.require_number("value", where);
  const Json& best = json.require("best", where);
  if (!best.is_bool()) throw InputError("\"best\" must be true or false", where, kOfAnotherRun);
  point.is_best = best.boolean();
  if (json.find("dev_loss") != nullptr) point.dev_loss = json.require_number("dev_loss", where);
  return point;
}

}  // namespace

void save_checkpoint(const distributed::Ranks& ranks, RunDirectory* run, const TrainState& state,
                     const Optimizer& optimizer, int64_t keep) {
  distributed::run_on_all_ranks(ranks, [&] {
    if (run != nullptr) {
      save_here(ranks, *run, state, optimizer, keep);
    } else if (optimizer.share().count > 1) {
      write_collectively(ranks, {}, state, optimizer);
    }
    return true;
  });
}

std::optional<Resumed> resume(RunDirectory& run, Optimizer& optimizer, int64_t keep) {
  const std::vector<fs::path> all = all_checkpoints(run.path() / "checkpoints");
  for (size_t i = 0; i < all.size(); ++i) {
    std::optional<Resumed> resumed;
    try {
      resumed = restore(all[i], optimizer);
    } catch (const InputError& error) {  // other errors propagate: it may be readable later
      log_warning("this checkpoint is not used: " + std::string(error.what()));
      continue;
    }
    const TrainState& state = resumed->state;
    const ValidationPoint* best = best_validation(state);
    if (best != nullptr) require_best_model(run.path(), best->step);
    set_aside(std::span(all).first(i));
    run.truncate_log(state.step + std::ssize(state.validations));  // one event for each
    remove_from(all, i + static_cast<size_t>(keep));  // left by a kill right after saving
    return resumed;
  }
  if (!all.empty()) {
    throw InputError("no checkpoint of this run can be read", run.path().string(),
                     "delete the directory to start from scratch, or restore a good checkpoint");
  }
  std::error_code missing;
  if (const auto size = fs::file_size(run.path() / "log.jsonl", missing); !missing && size > 0) {
    log_warning(
        "the earlier start of this run has left no checkpoint: training starts from the beginning");
  }
  run.truncate_log(0);
  return std::nullopt;
}

TrainState resume_collectively(const distributed::Ranks& ranks, RunDirectory* run,
                               Optimizer& optimizer, int64_t keep) {
  if (optimizer.share().count > 1) require_shared(ranks, run);
  const Resumed resumed = distributed::run_on_all_ranks(ranks, [&] {
    return run == nullptr ? Resumed{} : resume(*run, optimizer, keep).value_or(Resumed{});
  });
  optimizer.broadcast(ranks, resumed.optimizer);
  return state_from(Json::parse(ranks.broadcast(to_json(resumed.state).dump()), "rank 0"),
                    "rank 0");
}

const ValidationPoint* best_validation(const TrainState& state) {
  const auto best = std::find_if(state.validations.rbegin(), state.validations.rend(),
                                 [](const ValidationPoint& point) { return point.is_best; });
  return best == state.validations.rend() ? nullptr : &*best;
}

Json to_json(const ValidationPoint& point) {
  Json json;
  json["step"] = point.step;
  json["epoch"] = point.epoch;
  json["train_loss"] = point.train_loss ? Json(*point.train_loss) : Json();
  if (point.dev_loss) json["dev_loss"] = *point.dev_loss;
  json["value"] = point.value ? Json(*point.value) : Json();
  json["best"] = point.is_best;
  return json;
}

Json to_json(const TrainState& state) {
  Json json;
  json["step"] = state.step;
  json["loss_sum"] = state.loss_sum;
  json["loss_steps"] = state.loss_steps;
  Json& validations = json["validations"] = Json::Array();
  for (const ValidationPoint& point : state.validations) {
    validations.array().push_back(to_json(point));
  }
  return json;
}

TrainState state_from(const Json& json, const std::string& where) {
  TrainState state;
  state.step = json.require_integer("step", where);
  state.loss_sum = json.require_number("loss_sum", where);
  state.loss_steps = json.require_integer("loss_steps", where);
  const Json& validations = json.require("validations", where);
  if (state.step < 0 || state.loss_steps < 0 || !validations.is_array()) {
    throw InputError("this is not the state of a training run", where,
                     "name the folder of a run that `rubric train` began");
  }
  for (const Json& entry : validations.array()) {
    state.validations.push_back(point_from(entry, where));
  }
  return state;
}

}  // namespace rubric::train
