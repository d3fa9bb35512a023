#include "train/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include <ATen/core/grad_mode.h>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "distributed/together.h"
#include "models/safetensors.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "step-";

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

// Complete checkpoints, newest first.
std::vector<fs::path> complete_checkpoints(const fs::path& directory) {
  std::vector<fs::path> found;
  if (!fs::is_directory(directory)) return found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (step_of(entry.path()) >= 0 && fs::exists(entry.path() / "DONE")) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end(),
            [](const fs::path& a, const fs::path& b) { return step_of(a) > step_of(b); });
  return found;
}

Json to_json(const TrainState& state) {
  Json json;
  json["step"] = state.step;
  json["loss_sum"] = state.loss_sum;
  json["loss_steps"] = state.loss_steps;
  Json& validations = json["validations"] = Json::Array();
  for (const ValidationPoint& point : state.validations) {
    Json entry;
    entry["step"] = point.step;
    entry["epoch"] = point.epoch;
    entry["train_loss"] = point.train_loss;
    entry["value"] = point.figure ? Json(*point.figure) : Json();
    entry["best"] = point.is_best;
    validations.array().push_back(std::move(entry));
  }
  return json;
}

ValidationPoint point_from(const Json& json, const std::string& where) {
  ValidationPoint point;
  point.step = json.require_integer("step", where);
  point.epoch = json.require_integer("epoch", where);
  point.train_loss = json.require_number("train_loss", where);
  if (!json.require("value", where).is_null()) point.figure = json.require_number("value", where);
  const Json& best = json.require("best", where);
  if (!best.is_bool()) throw InputError("\"best\" must be true or false", where);
  point.is_best = best.boolean();
  return point;
}

TrainState state_from(const Json& json, const std::string& where) {
  TrainState state;
  state.step = json.require_integer("step", where);
  state.loss_sum = json.require_number("loss_sum", where);
  state.loss_steps = json.require_integer("loss_steps", where);
  const Json& validations = json.require("validations", where);
  if (state.step < 0 || state.loss_steps < 0 || !validations.is_array()) {
    throw InputError("not the state of a run", where);
  }
  for (const Json& entry : validations.array()) {
    state.validations.push_back(point_from(entry, where));
  }
  return state;
}

// The saved values of the parameters, in their order.
std::vector<at::Tensor> saved_parameters(const fs::path& file, const Parameters& parameters) {
  const NamedTensors tensors = read_safetensors(file);
  std::vector<at::Tensor> values;
  for (const Parameter& parameter : parameters) {
    const at::Tensor* found = find_tensor(tensors, parameter.name);
    if (found == nullptr || found->sizes() != parameter.tensor.sizes()) {
      throw InputError(parameter.name + " is missing or has another shape", file.string());
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

TrainState restore(const fs::path& checkpoint, Optimizer& optimizer) {
  TrainState state =
      state_from(Json::parse_file(checkpoint / "state.json"), (checkpoint / "state.json").string());
  const std::vector<at::Tensor> values =
      saved_parameters(checkpoint / "model.safetensors", optimizer.parameters());
  optimizer.load(checkpoint / "optimizer.safetensors");
  // Everything is read: from here on nothing can fail half-way.
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < values.size(); ++i) optimizer.parameters()[i].tensor.copy_(values[i]);
  return state;
}

}  // namespace

const ValidationPoint* best_validation(const TrainState& state) {
  const auto best = std::find_if(state.validations.rbegin(), state.validations.rend(),
                                 [](const ValidationPoint& point) { return point.is_best; });
  return best == state.validations.rend() ? nullptr : &*best;
}

void save_checkpoint(RunDirectory& run, const TrainState& state, const Optimizer& optimizer,
                     int64_t keep) {
  run.sync_log();  // what the checkpoint says is logged must not be lost with the machine's power
  run.replace_directory("checkpoints/" + checkpoint_name(state.step), [&](const fs::path& partial) {
    NamedTensors tensors;
    for (const Parameter& parameter : optimizer.parameters()) {
      tensors.emplace_back(parameter.name, parameter.tensor.detach());
    }
    write_safetensors(partial / "model.safetensors", tensors);
    optimizer.save(partial / "optimizer.safetensors");
    write_file(partial / "state.json", to_json(state).dump(2) + "\n");
    write_file(partial / "DONE", "");
  });
  remove_from(complete_checkpoints(run.path() / "checkpoints"), static_cast<size_t>(keep));
}

std::optional<TrainState> resume(RunDirectory& run, Optimizer& optimizer, int64_t keep) {
  const std::vector<fs::path> all = complete_checkpoints(run.path() / "checkpoints");
  for (size_t i = 0; i < all.size(); ++i) {
    std::optional<TrainState> state;
    try {
      state = restore(all[i], optimizer);
    } catch (const Error& error) {
      log_warning("this checkpoint is not used: " + std::string(error.what()));
      continue;
    }
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
