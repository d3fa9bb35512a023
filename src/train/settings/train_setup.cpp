#include "train/settings/train_setup.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "config/printer.h"
#include "config/reader.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/files/shipped_files.h"
#include "data/model_files/model_directory.h"
#include "data/multiple_choice/list.h"
#include "data/rows/missing_values.h"
#include "data/tasks/list.h"

namespace rubric::train {
namespace {

namespace fs = std::filesystem;

// Whether scripts/download mocha fetches this file.
bool is_of_mocha(const std::string& file) {
  const std::string data = environment("RUBRIC_DATA");
  return fs::path(file).parent_path() == fs::path(data.empty() ? "data" : data) / "mocha";
}

std::string how_to_get_data(const data::TaskKind& task, bool is_mocha) {
  if (is_mocha) {
    return "fetch it with scripts/download mocha, or set RUBRIC_DATA to the folder that holds "
           "mocha/";
  }
  if (!task.reads_questions) {
    return "start in the folder that such paths begin in, or name other files with --set "
           "data.train=F and --set data.dev=F";
  }
  return "put it there (README.md says where the sets come from), set RUBRIC_DATA to the folder "
         "that holds it, or leave a set out: --set KEY=[]";
}

// Whether the task names the key, or a group that holds it, as its own.
bool owns(const data::TaskKind& task, const std::string& key) {
  return std::ranges::any_of(task.own_keys, [&](std::string_view own) {
    return key == own || key.starts_with(std::string(own) + ".");
  });
}

// The keys that `config` sets but its task does not read.
std::vector<std::string> unread_keys(const TrainConfig& config) {
  const config::FieldValues values = config::config_values(config),
                            usual = config::config_values(TrainConfig());
  std::vector<std::string> keys;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != usual[i]) keys.push_back(values[i].first);
  }
  const data::TaskKind& task = data::require_task(config.task);
  std::erase_if(keys, [&](const std::string& key) {
    return owns(task, key) || std::ranges::none_of(data::kTasks, [&](const data::TaskKind* other) {
             return owns(*other, key);
           });
  });
  return keys;
}

// Refuses keys that the task does not read, which would otherwise be ignored silently.
void require_read_keys(const TrainConfig& config) {
  const std::vector<std::string> unread = unread_keys(config);
  if (unread.empty()) return;
  throw InputError("the task " + config.task + " does not read this key", unread.front(),
                   "take it out, or set task to another");
}

// The same for the keys of another optimiser.
void require_read_keys(const OptimizerConfig& config) {
  const OptimizerConfig defaults;
  const bool is_adamw = config.name == "adamw";
  for (const auto& [key, is_set, is_read] :
       {std::tuple("beta1", config.beta1 != defaults.beta1, is_adamw),
        {"beta2", config.beta2 != defaults.beta2, is_adamw},
        {"epsilon", config.epsilon != defaults.epsilon, is_adamw},
        {"scale_parameter", config.scale_parameter, !is_adamw},
        {"clip_threshold", config.clip_threshold != defaults.clip_threshold, !is_adamw},
        {"decay_rate", config.decay_rate != defaults.decay_rate, !is_adamw}}) {
    if (!is_set || is_read) continue;
    throw InputError("the optimiser " + config.name + " does not read this key",
                     std::string("optimizer.") + key,
                     "take it out, or set optimizer.name to another");
  }
}

void require_precision(const TrainConfig& config) {
  if (config.precision == "float32" || config.device == "cuda") return;
  throw InputError("bfloat16 is for GPUs: a CPU is slower with it", "precision",
                   "set device to cuda, or take it out");
}

// Throws unless the task has data to train and to validate on.
void require_named(const std::vector<DataSource>& sources, const data::TaskKind& task) {
  for (const std::string split : {"train", "dev"}) {
    const bool is_named = std::ranges::any_of(sources, [&](const DataSource& source) {
      return source.key.ends_with("." + split) && !source.path.empty();
    });
    if (is_named) continue;
    const std::string group =
        task.reads_questions ? "questions." + std::string(data::kChoiceReaders[0]->name) : "data";
    const std::string key = group + "." + split;
    throw InputError(
        "no file is named", key,
        "set it, or use --set " + key + "=" +
            (task.reads_questions ? "[F]; or another set's files under questions" : "F"));
  }
}

void require_data(const TrainConfig& config) {
  require_read_keys(config);
  require_read_keys(config.optimizer);
  require_precision(config);
  const data::TaskKind& task = data::require_task(config.task);
  const std::vector<DataSource> sources = data_sources(config);
  require_named(sources, task);
  std::vector<std::string> looked;
  std::string nearest;
  bool is_mocha = true;
  for (const auto& [key, path, reader] : sources) {
    std::error_code unreadable;  // counts as missing
    if (fs::is_regular_file(path, unreadable) ||
        (reader != nullptr && fs::is_directory(path, unreadable))) {
      continue;
    }
    looked.push_back(key + ": looked at " + fs::absolute(path).string() +
                     (fs::is_directory(path, unreadable) ? ", a folder" : ""));
    if (nearest.empty() && !fs::exists(path, unreadable)) {
      nearest = nearest_path(path);
      if (nearest.empty() && reader != nullptr) {
        nearest = nearest_path(path, fs::file_type::directory);
      }
      if (!nearest.empty()) nearest = key + ": " + nearest;
    }
    is_mocha = is_mocha && is_of_mocha(path);
  }
  if (looked.empty()) return;
  throw InputError("data is missing", join_some(looked, "; "),
                   nearest.empty() || is_mocha ? how_to_get_data(task, is_mocha) : nearest);
}

// Checks data and encoder together, as users who lack one often lack the other.
fs::path require_inputs(const TrainConfig& config) {
  std::vector<std::string> problems;
  fs::path encoder;
  try {
    require_data(config);
  } catch (const InputError& error) {
    problems.emplace_back(error.what());
  }
  try {
    encoder = data::find_model(config.model.name);
  } catch (const InputError& error) {
    problems.emplace_back(error.what());
  }
  if (!problems.empty()) throw InputError(join(problems, "\nalso: "));
  return encoder;
}

}  // namespace

TrainSetup read_train_setup(const TrainConfiguration& configuration, const fs::path& output) {
  if (configuration.file.empty()) {
    throw InputError("no configuration is named", "command line", "add --config FILE");
  }
  const fs::path file = find_shipped("configuration", "configs", configuration.file);
  TrainConfig config = config::read_config<TrainConfig>(file, configuration.overrides);
  if (!output.empty()) config.output = output.string();
  if (config.output.empty()) config.output = (fs::path("runs") / file.stem()).string();
  fs::path run = fs::path(config.output).lexically_normal();
  if (!run.has_filename()) run = run.parent_path();  // "runs/x/" is "runs/x"
  config.output = run.string();
  const fs::path encoder = require_inputs(config);
  return {std::move(config), encoder};
}

TrainSetup read_train_setup(const TrainRequest& request) {
  const bool is_never = request.resume == "never";
  const bool names_run = request.resume != "auto" && !is_never;
  if (names_run && !request.output.empty()) {
    throw InputError("two run directories are named", "--output and --resume", "name it once");
  }
  std::error_code unreadable;  // counts as missing
  if (names_run && !fs::exists(fs::path(request.resume) / "config.yaml", unreadable)) {
    throw InputError("there is no run to resume", "--resume " + request.resume,
                     "--resume takes auto, never or a run directory");
  }
  if (is_never && (request.any_build || request.extend)) {
    throw InputError(std::string("--") + (request.any_build ? "any-build" : "extend") +
                         " cannot be combined with --resume never",
                     "command line", "leave one of them out");
  }
  TrainConfiguration configuration = request.configuration;
  std::vector<std::string>& overrides = configuration.overrides;
  std::vector<std::string> fields;
  for (const auto& [ours, theirs] : request.fields) fields.push_back(ours + "=" + theirs);
  if (!fields.empty()) overrides.push_back("data.fields=" + config::yaml_text(fields));
  if (request.missing != Missing::automatic) {
    overrides.push_back("data.missing=" + data::missing_name(request.missing));
  }
  if (request.without_question_hashes) overrides.emplace_back("data.question_hashes=false");
  TrainSetup setup =
      read_train_setup(configuration, names_run ? fs::path(request.resume) : request.output);
  setup.resume = is_never            ? Resume::never
                 : request.any_build ? Resume::of_any_build
                                     : Resume::automatic;
  return setup;
}

}  // namespace rubric::train
