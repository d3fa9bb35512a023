#include "train/run_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "config/printer.h"
#include "config/reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/log.h"
#include "models/safetensors.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPartial = ".partial";
constexpr const char* kInputs = "inputs.json";  // what input_hashes() gave

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

// The first key whose value differs between two printed configurations, with both values; "" when
// none does.
std::string first_difference(const std::string& before, const std::string& now) {
  std::istringstream lines_before(before), lines_now(now);
  std::string old_line, line, group;
  while (std::getline(lines_before, old_line) && std::getline(lines_now, line)) {
    const size_t begin = line.find_first_not_of(' ');
    const std::string key = line.substr(begin, line.find(':') - begin);
    if (begin == 0) group = key + ".";
    if (line == old_line) continue;
    const auto value = [](const std::string& text) { return text.substr(text.find(':') + 2); };
    return (begin == 0 ? "" : group) + key + " is " + value(old_line) + " there and " +
           value(line) + " here";
  }
  return "";
}

// Removes what was being written when an earlier start was killed.
void remove_partial(const fs::path& directory) {
  if (!fs::is_directory(directory)) return;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().filename().string().find(kPartial) != std::string::npos) {
      found.push_back(entry.path());
    }
  }
  for (const fs::path& partial : found) fs::remove_all(partial);
}

Json to_json(const TrainState& state) {
  Json json;
  json["step"] = state.step;
  json["best_step"] = state.best_step;
  json["best_figure"] = state.best_figure ? Json(*state.best_figure) : Json();
  json["validations_without_gain"] = state.validations_without_gain;
  json["loss_sum"] = state.loss_sum;
  json["loss_steps"] = state.loss_steps;
  return json;
}

TrainState state_from(const Json& json, const std::string& where) {
  TrainState state;
  state.step = json.require_integer("step", where);
  state.best_step = json.require_integer("best_step", where);
  if (!json.require("best_figure", where).is_null()) {
    state.best_figure = json.require_number("best_figure", where);
  }
  state.validations_without_gain = json.require_integer("validations_without_gain", where);
  state.loss_sum = json.require_number("loss_sum", where);
  state.loss_steps = json.require_integer("loss_steps", where);
  return state;
}

// The saved values of the parameters, in their order.
std::vector<at::Tensor> saved_parameters(const fs::path& file, const Parameters& parameters) {
  const NamedTensors tensors = read_safetensors(file);
  std::vector<at::Tensor> values;
  for (const Parameter& parameter : parameters) {
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& named) {
      return named.first == parameter.name;
    });
    if (found == tensors.end() || found->second.sizes() != parameter.tensor.sizes()) {
      throw InputError(parameter.name + " is missing or has another shape", file.string());
    }
    values.push_back(found->second);
  }
  return values;
}

void require_same_inputs(const fs::path& run, const Json& inputs) {
  const Json earlier = Json::parse_file(run / kInputs);
  for (const auto& [key, hash] : inputs.object()) {
    if (earlier.require_string(key, (run / kInputs).string()) == hash.string()) continue;
    throw InputError("the file of " + key + " has changed since this run was started", run.string(),
                     "choose another folder with --output, or delete this one");
  }
}

// The run directory will be made when data and model are found good; this is whether it can be.
void require_place(const fs::path& directory) {
  fs::path above = fs::absolute(directory).parent_path();
  while (!fs::exists(above)) above = above.parent_path();
  if (fs::is_directory(above) && access(above.c_str(), W_OK) == 0) return;
  throw InputError("the output directory cannot be made: " + above.string() +
                       (fs::is_directory(above) ? " is closed to you" : " is no folder"),
                   directory.string(), "choose another folder with --output");
}

[[noreturn]] void throw_log_error(const fs::path& run) {
  throw Error(std::string("cannot write: ") + std::strerror(errno), (run / "log.jsonl").string(),
              "free some space, then start again");
}

}  // namespace

Json input_hashes(const TrainConfig& config, const fs::path& encoder_directory) {
  Json hashes;
  hashes["data.train"] = sha256_file(config.data.train);
  hashes["data.dev"] = sha256_file(config.data.dev);
  std::string encoder;
  for (const char* name : {"config.json", "model.safetensors", "pytorch_model.bin",
                           "model.safetensors.index.json", "vocab.txt", "tokenizer.json"}) {
    const fs::path file = encoder_directory / name;
    if (fs::exists(file)) encoder += name + sha256_file(file);
  }
  hashes["model.name"] = sha256(encoder);
  return hashes;
}

bool holds_run(const TrainConfig& config, const Json& inputs) {
  const fs::path directory = config.output, file = directory / "config.yaml";
  if (fs::exists(file)) {
    TrainConfig earlier = read_config<TrainConfig>(file, {});
    earlier.output = config.output;
    earlier.data.store = config.data.store;
    const std::string difference = first_difference(print_config(earlier), print_config(config));
    if (difference.empty()) {
      require_same_inputs(directory, inputs);
      return true;
    }
    throw InputError("the output directory holds a run of another configuration: " + difference,
                     file.string(), "choose another folder with --output, or delete this one");
  }
  const auto foreign = [&] {
    return InputError("the output directory exists and is not a run", directory.string(),
                      "choose another folder with --output");
  };
  if (!fs::exists(directory)) {
    require_place(directory);
    return false;
  }
  if (!fs::is_directory(directory)) throw foreign();
  for (const auto& entry : fs::directory_iterator(directory)) {
    // All that a start which was killed at once can have left.
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("config.yaml.partial") && !name.starts_with(kInputs)) throw foreign();
  }
  return false;
}

bool is_finished(const fs::path& run) {
  return fs::exists(run / "results.json");
}

DirectoryLock::DirectoryLock(const fs::path& directory)
    : descriptor_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // File systems without locks go without.
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw InputError("another process is training in the output directory", directory.string(),
                   "wait for it, or choose another folder with --output");
}

DirectoryLock::~DirectoryLock() {
  close(descriptor_);
}

RunDirectory::RunDirectory(fs::path path, const std::string& config_text, const Json& inputs)
    : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw InputError("cannot make the output directory: " + error.message(), path_.string(),
                     "choose another folder with --output");
  }
  lock_.emplace(path_);
  remove_partial(path_);
  remove_partial(path_ / "checkpoints");
  remove_partial(path_ / "predictions");
  write_file(path_ / kInputs, inputs.dump(2) + "\n");
  write_file(path_ / "config.yaml", config_text);  // again, as the run may have been moved
  open_log();
}

std::optional<TrainState> RunDirectory::resume(AdamW& optimizer) {
  const std::vector<fs::path> all = checkpoints(path_ / "checkpoints");
  for (const fs::path& checkpoint : all) {
    try {
      const fs::path state_file = checkpoint / "state.json";
      const TrainState state = state_from(Json::parse_file(state_file), state_file.string());
      const std::vector<at::Tensor> values =
          saved_parameters(checkpoint / "model.safetensors", optimizer.parameters());
      optimizer.load(checkpoint / "optimizer.safetensors");
      // Everything is read: from here on nothing can fail half-way.
      const at::NoGradGuard no_grad;
      for (size_t i = 0; i < values.size(); ++i) {
        optimizer.parameters()[i].tensor.copy_(values[i]);
      }
      cut_log_after(state.step);
      return state;
    } catch (const Error& error) {
      log_warning("this checkpoint is not used: " + std::string(error.what()));
    }
  }
  if (!all.empty()) {
    throw InputError("no checkpoint of this run can be read", path_.string(),
                     "delete the folder to start anew, or put a good checkpoint back");
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
  for (size_t i = static_cast<size_t>(keep); i < all.size(); ++i) {
    fs::path going = all[i];  // so that none that is half gone has a checkpoint's name
    going += kPartial;
    fs::rename(all[i], going);
    fs::remove_all(going);
  }
}

void RunDirectory::open_log() {
  log_.open(path_ / "log.jsonl", std::ios::app | std::ios::binary);
  if (!log_) throw_log_error(path_);
}

void RunDirectory::log(const Json& event) {
  log_ << event.dump() << '\n' << std::flush;
  if (!log_) throw_log_error(path_);
}

void RunDirectory::save_predictions(const std::string& split, const std::vector<Json>& rows) {
  fs::create_directories(path_ / "predictions");
  AtomicFile file(path_ / "predictions" / (split + ".jsonl"));
  for (const Json& row : rows) file.write(row.dump() + "\n");
  file.commit();
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
  open_log();
}

}  // namespace rubric
