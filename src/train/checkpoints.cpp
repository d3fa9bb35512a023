#include "train/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

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
constexpr const char* kOptimizer = "optimizer";  // how its files' names begin
constexpr const char* kSharedFolder =
    "with optimizer.shard every rank writes in the run directory: choose one on a file system that "
    "they share";
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

// As transformers names parts: "optimizer-00001-of-00004.safetensors".
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
    if (step_of(entry.path()) >= 0) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(),
            [](const fs::path& a, const fs::path& b) { return step_of(a) > step_of(b); });
  return found;
}

NamedTensors tensors_of(const SealedFolder& checkpoint, const std::string& name) {
  return parse_safetensors(checkpoint.bytes(name), checkpoint.path(name));
}

// From however many files.
NamedTensors optimizer_of(const SealedFolder& checkpoint) {
  NamedTensors all;
  for (const std::string& name : checkpoint.names()) {
    if (!name.starts_with(kOptimizer)) continue;
    std::ranges::move(tensors_of(checkpoint, name), std::back_inserter(all));
  }
  return all;
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

Resumed restore(const fs::path& folder, Optimizer& optimizer) {
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
  NamedTensors saved = optimizer_of(checkpoint);
  optimizer.load(saved, folder.string());
  // Everything is read: from here on nothing can fail half-way.
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < values.size(); ++i) optimizer.parameters()[i].tensor.copy_(values[i]);
  return {std::move(state), std::move(saved)};
}

// What this rank has of a checkpoint.
void write_part(const fs::path& folder, bool is_main, const TrainState& state,
                const Optimizer& optimizer) {
  if (is_main) {
    NamedTensors tensors;
    for (const Parameter& parameter : optimizer.parameters()) {
      tensors.emplace_back(parameter.name, parameter.tensor.detach());
    }
    write_safetensors(folder / kModel, tensors);
    write_file(folder / kState, to_json(state).dump(2) + "\n");
  }
  optimizer.save(folder / optimizer_file(optimizer.share()));
}

// Every rank's part of a checkpoint, into the folder that rank 0 names.
void write_together(const Ranks& ranks, const fs::path& folder_of_main, const TrainState& state,
                    const Optimizer& optimizer) {
  const fs::path folder = ranks.broadcast(folder_of_main.string());
  together(ranks, [&] {
    write_part(folder, ranks.is_main(), state, optimizer);
    return true;
  });
  for (WorkShare part = optimizer.share(); ranks.is_main() && part.index < part.count;
       ++part.index) {
    const fs::path file = folder / optimizer_file(part);
    if (is_there(file, kSharedFolder)) continue;
    throw InputError("what rank " + std::to_string(part.index) + " has written is not here",
                     file.string(), kSharedFolder);
  }
}

}  // namespace

void save_checkpoint(const Ranks& ranks, RunDirectory* run, const TrainState& state,
                     const Optimizer& optimizer, int64_t keep) {
  const bool has_shares = optimizer.share().count > 1;
  if (run == nullptr) {
    if (has_shares) write_together(ranks, {}, state, optimizer);
    return;
  }
  run->sync_log();  // what the checkpoint says is logged must not be lost with the machine's power
  run->replace_directory("checkpoints/" + checkpoint_name(state.step),
                         [&](const fs::path& partial) {
                           if (has_shares) {
                             write_together(ranks, fs::absolute(partial), state, optimizer);
                           } else {
                             write_part(partial, true, state, optimizer);
                           }
                         });
  remove_from(all_checkpoints(run->path() / "checkpoints"), static_cast<size_t>(keep));
}

std::optional<Resumed> resume(RunDirectory& run, Optimizer& optimizer, int64_t keep) {
  const std::vector<fs::path> all = all_checkpoints(run.path() / "checkpoints");
  for (size_t i = 0; i < all.size(); ++i) {
    std::optional<Resumed> resumed;
    try {
      resumed = restore(all[i], optimizer);
    } catch (const Error& error) {
      log_warning("this checkpoint is not used: " + std::string(error.what()));
      continue;
    }
    const TrainState& state = resumed->state;
    if (best_validation(state) != nullptr) require_best_model(run.path());
    set_aside(std::span(all).first(i));
    run.cut_log(state.step + std::ssize(state.validations));  // an event each
    remove_from(all, i + static_cast<size_t>(keep));          // what a kill right after saving left
    return resumed;
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
  if (optimizer.share().count > 1) {
    const fs::path folder = ranks.broadcast(run ? fs::absolute(run->path()).string() : "");
    together(ranks, [&] {
      if (is_there(folder, kSharedFolder)) return true;
      throw InputError("the run directory is not here", folder.string(), kSharedFolder);
    });
  }
  const Resumed resumed = together(ranks, [&] {
    return run == nullptr ? Resumed{} : resume(*run, optimizer, keep).value_or(Resumed{});
  });
  optimizer.broadcast(ranks, resumed.optimizer);
  return state_from(Json::parse(ranks.broadcast(to_json(resumed.state).dump()), "rank 0"),
                    "rank 0");
}

}  // namespace rubric
