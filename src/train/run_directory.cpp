#include "train/run_directory.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "models/safetensors.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPartial = ".partial";

std::string checkpoint_name(int64_t step) {
  char name[32];
  std::snprintf(name, sizeof(name), "step-%06lld", static_cast<long long>(step));
  return name;
}

// Complete checkpoints, newest first.
std::vector<fs::path> checkpoints(const fs::path& directory) {
  std::vector<fs::path> found;
  if (!fs::is_directory(directory)) return found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("step-") && !name.ends_with(kPartial) &&
        fs::exists(entry.path() / "DONE")) {
      found.push_back(entry.path());
    }
  }
  const auto newer = [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string(), y = b.filename().string();
    return x.size() != y.size() ? x.size() > y.size() : x > y;
  };
  std::sort(found.begin(), found.end(), newer);
  return found;
}

// The first line in which two texts differ.
std::string first_difference(const std::string& before, const std::string& now) {
  std::istringstream a(before), b(now);
  std::string line_a, line_b;
  while (true) {
    const bool has_a = static_cast<bool>(std::getline(a, line_a));
    const bool has_b = static_cast<bool>(std::getline(b, line_b));
    if (!has_a && !has_b) return "";
    if (!has_a) line_a.clear();
    if (!has_b) line_b.clear();
    if (line_a != line_b) return "there \"" + line_a + "\", here \"" + line_b + "\"";
  }
}

Json to_json(const TrainState& state) {
  Json json;
  json["step"] = state.step;
  json["best_step"] = state.best_step;
  json["best_figure"] = state.best_figure;
  json["validations_without_gain"] = state.validations_without_gain;
  json["loss_sum"] = state.loss_sum;
  json["loss_steps"] = state.loss_steps;
  return json;
}

TrainState state_from(const Json& json, const std::string& where) {
  TrainState state;
  state.step = json.require_integer("step", where);
  state.best_step = json.require_integer("best_step", where);
  state.best_figure = json.require_number("best_figure", where);
  state.validations_without_gain = json.require_integer("validations_without_gain", where);
  state.loss_sum = json.require_number("loss_sum", where);
  state.loss_steps = json.require_integer("loss_steps", where);
  return state;
}

void load_parameters(const fs::path& file, const Parameters& parameters) {
  const at::NoGradGuard no_grad;
  const NamedTensors tensors = read_safetensors(file);
  for (const Parameter& parameter : parameters) {
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& named) {
      return named.first == parameter.name;
    });
    if (found == tensors.end() || found->second.sizes() != parameter.tensor.sizes()) {
      throw InputError(parameter.name + " is missing or has another shape", file.string());
    }
    parameter.tensor.copy_(found->second);
  }
}

}  // namespace

RunDirectory::RunDirectory(fs::path path, const std::string& config_text, bool may_resume)
    : path_(std::move(path)) {
  const fs::path config = path_ / "config.yaml";
  if (fs::exists(config)) {
    const std::string difference = first_difference(read_file(config), config_text);
    if (!difference.empty()) {
      throw InputError("the output directory holds a run of another configuration: " + difference,
                       config.string(), "choose another folder with --output, or delete this one");
    }
    if (!may_resume) {
      throw InputError("the output directory holds a run already", path_.string(),
                       "choose another folder with --output, or go on with --resume auto");
    }
  } else if (fs::exists(path_) && (!fs::is_directory(path_) || !fs::is_empty(path_))) {
    throw InputError("the output directory exists and is not a run", path_.string(),
                     "choose another folder with --output");
  } else {
    std::error_code error;
    fs::create_directories(path_ / "checkpoints", error);
    if (error)
      throw InputError("cannot make the output directory: " + error.message(), path_.string());
    write_file(config, config_text);
  }
  log_.open(path_ / "log.jsonl", std::ios::app | std::ios::binary);
  if (!log_) throw Error("cannot write", (path_ / "log.jsonl").string());
}

bool RunDirectory::finished() const {
  return fs::exists(path_ / "results.json");
}

std::optional<TrainState> RunDirectory::resume(AdamW& optimizer) {
  for (const fs::path& checkpoint : checkpoints(path_ / "checkpoints")) {
    try {
      const fs::path state_file = checkpoint / "state.json";
      const TrainState state = state_from(Json::parse_file(state_file), state_file.string());
      load_parameters(checkpoint / "model.safetensors", optimizer.parameters());
      optimizer.load(checkpoint / "optimizer.safetensors");
      cut_log_after(state.step);
      return state;
    } catch (const Error& error) {
      log_warning("this checkpoint is not used: " + std::string(error.what()));
    }
  }
  cut_log_after(0);
  return std::nullopt;
}

void RunDirectory::save_checkpoint(const TrainState& state, const AdamW& optimizer, int64_t keep) {
  replace_directory("checkpoints/" + checkpoint_name(state.step), [&](const fs::path& partial) {
    NamedTensors tensors;
    for (const Parameter& parameter : optimizer.parameters()) {
      tensors.emplace_back(parameter.name, parameter.tensor.detach());
    }
    write_safetensors(partial / "model.safetensors", tensors);
    optimizer.save(partial / "optimizer.safetensors");
    write_file(partial / "state.json", to_json(state).dump(2) + "\n");
    write_file(partial / "DONE", "");
  });
  const std::vector<fs::path> all = checkpoints(path_ / "checkpoints");
  for (size_t i = static_cast<size_t>(keep); i < all.size(); ++i) fs::remove_all(all[i]);
}

void RunDirectory::log(const Json& event) {
  log_ << event.dump() << '\n' << std::flush;
  if (!log_) throw Error("cannot write: is the disk full?", (path_ / "log.jsonl").string());
}

fs::path RunDirectory::begin_directory(const std::string& name) {
  const fs::path partial = path_ / (name + kPartial);
  fs::remove_all(partial);
  fs::create_directories(partial);
  return partial;
}

void RunDirectory::publish_directory(const fs::path& partial, const std::string& name) {
  sync_directory(partial);
  const fs::path target = path_ / name;
  // A folder cannot be renamed over one that is not empty. What is replaced here is only ever the
  // outcome of the same update, made again after an interruption, or a model that a better one
  // follows; the latest checkpoint leads to it again.
  fs::remove_all(target);
  std::error_code error;
  fs::rename(partial, target, error);
  if (error) throw Error("cannot rename into place: " + error.message(), target.string());
  sync_directory(target.parent_path());
}

void RunDirectory::cut_log_after(int64_t step) {
  const fs::path file = path_ / "log.jsonl";
  log_.close();
  std::string kept;
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    try {
      if (Json::parse(line, lines.where()).require_integer("step", lines.where()) > step) break;
    } catch (const InputError&) {
      break;  // a line that the interruption tore; nothing complete follows it
    }
    kept += line + "\n";
  }
  write_file(file, kept);
  log_.open(file, std::ios::app | std::ios::binary);
}

}  // namespace rubric
