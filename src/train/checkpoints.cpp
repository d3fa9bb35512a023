#include "train/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <span>

#include <ATen/core/grad_mode.h>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/sealed_folder.h"
#include "distributed/together.h"
#include "models/safetensors.h"
#include "train/best_model.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "step-";
constexpr const char* kModel = "model.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";

std::string checkpoint_name(int64_t step) {
  char name[32];
  std::snprintf(name, sizeof(name), "%s%06lld", kPrefix, static_cast<long long>(step));
  return name;
}

// The update whose checkpoint this is; -1 when its name is none's.
int64_t step_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  int64_t step = -1;
  if (name.starts_with(kPrefix)) {
    std::from_chars(name.data() + std::strlen(kPrefix), name.data() + name.size(), step);
  }
  return step >= 0 && name == checkpoint_name(step) ? step : -1;
}

// Newest first.
std::vector<fs::path> all_checkpoints(const fs::path& directory) {
  std::vector<fs::path> found;
  if (!fs::is_directory(directory)) return found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (step_of(entry.path()) >= 0) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(),
            [](const fs::path& a, const fs::path& b) { return step_of(a) > step_of(b); });
  return found;
}

NamedTensors tensors_of(const SealedFolder& checkpoint, const std::string& name) {
  return parse_safetensors(checkpoint.bytes(name), checkpoint.path(name));
}

// The saved values of the parameters, in their order.
std::vector<at::Tensor> saved_parameters(const NamedTensors& tensors, const std::string& file,
                                         const Parameters& parameters) {
  std::vector<at::Tensor> values;
  for (const Parameter& parameter : parameters) {
    const at::Tensor* found = find_tensor(tensors, parameter.name);
    if (found == nullptr || found->sizes() != parameter.tensor.sizes()) {
      throw InputError(parameter.name + " is missing or has another shape", file);
    }
    values.push_back(*found);
  }
  return values;
}

// Removes `checkpoints[first]` and all after it.
void remove_from(const std::vector<fs::path>& checkpoints, size_t first) {
  for (size_t i = first; i < checkpoints.size(); ++i) {
    const fs::path going = partial_path(checkpoints[i]);  // half gone, it has no checkpoint's name
    fs::rename(checkpoints[i], going);
    fs::remove_all(going);
  }
}

// Gives the refused ones another name, so that they neither count nor stand where a new one will.
void set_aside(std::span<const fs::path> refused) {
  for (const fs::path& checkpoint : refused) {
    const fs::path aside = checkpoint.string() + ".refused";
    fs::remove_all(aside);
    fs::rename(checkpoint, aside);
    log_warning("the refused checkpoint is kept as " + aside.string());
  }
}

TrainState restore(const fs::path& folder, Optimizer& optimizer) {
  const SealedFolder checkpoint(folder);
  const std::string state_file = checkpoint.path(kState);
  TrainState state = state_from(Json::parse(checkpoint.bytes(kState), state_file), state_file);
  if (state.step != step_of(folder)) {
    throw InputError("the state is that of update " + std::to_string(state.step) +
                         ", and not of the one that the folder's name says",
                     state_file);
  }
  const std::vector<at::Tensor> values = saved_parameters(
      tensors_of(checkpoint, kModel), checkpoint.path(kModel), optimizer.parameters());
  optimizer.load(tensors_of(checkpoint, kOptimizer), checkpoint.path(kOptimizer));
  // Everything is read: from here on nothing can fail half-way.
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < values.size(); ++i) optimizer.parameters()[i].tensor.copy_(values[i]);
  return state;
}

}  // namespace

void save_checkpoint(RunDirectory& run, const TrainState& state, const Optimizer& optimizer,
                     int64_t keep) {
  run.sync_log();  // what the checkpoint says is logged must not be lost with the machine's power
  run.replace_directory("checkpoints/" + checkpoint_name(state.step), [&](const fs::path& partial) {
    NamedTensors tensors;
    for (const Parameter& parameter : optimizer.parameters()) {
      tensors.emplace_back(parameter.name, parameter.tensor.detach());
    }
    write_safetensors(partial / kModel, tensors);
    optimizer.save(partial / kOptimizer);
    write_file(partial / kState, to_json(state).dump(2) + "\n");
  });
  remove_from(all_checkpoints(run.path() / "checkpoints"), static_cast<size_t>(keep));
}

std::optional<TrainState> resume(RunDirectory& run, Optimizer& optimizer, int64_t keep) {
  const std::vector<fs::path> all = all_checkpoints(run.path() / "checkpoints");
  for (size_t i = 0; i < all.size(); ++i) {
    std::optional<TrainState> state;
    try {
      state = restore(all[i], optimizer);
    } catch (const Error& error) {
      log_warning("this checkpoint is not used: " + std::string(error.what()));
      continue;
    }
    if (best_validation(*state) != nullptr) require_best_model(run.path());
    set_aside(std::span(all).first(i));
    run.cut_log(state->step + std::ssize(state->validations));  // an event each
    remove_from(all, i + static_cast<size_t>(keep));  // what a kill right after saving left
    return state;
  }
  if (!all.empty()) {
    throw InputError("no checkpoint of this run can be read", run.path().string(),
                     "delete the folder to start anew, or put a good checkpoint back");
  }
  std::error_code missing;
  if (const auto size = fs::file_size(run.path() / "log.jsonl", missing); !missing && size > 0) {
    log_warning("no checkpoint is left of this run's earlier start: it begins anew");
  }
  run.cut_log(0);
  return std::nullopt;
}

TrainState resume_together(const Ranks& ranks, RunDirectory* run, Optimizer& optimizer,
                           int64_t keep) {
  const TrainState state = together(ranks, [&] {
    return run == nullptr ? TrainState{} : resume(*run, optimizer, keep).value_or(TrainState{});
  });
  optimizer.broadcast(ranks);
  return state_from(Json::parse(ranks.broadcast(to_json(state).dump()), "rank 0"), "rank 0");
}

}  // namespace rubric
