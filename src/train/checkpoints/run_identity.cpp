#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include <torch/version.h>

#include "config/printer.h"
#include "config/reader.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "data/model_files/model_directory.h"
#include "models/weights/weights.h"
#include "rubric/version.h"
#include "train/checkpoints/run_directory.h"
#include "train/settings/train_config.h"

namespace rubric::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigFile = "config.yaml";
constexpr const char* kInputsFile = "inputs.json";  // holds input_hashes()
// The builds of rubric that have trained the run, one a line, the latest last.
constexpr const char* kBuildsFile = "builds.txt";
constexpr const char* kChooseAnother = "choose another folder with --output";

std::string inputs_text(const Json& inputs) {
  return inputs.dump(2) + "\n";
}

// The keys that may differ between the starts of a run. At any time: where it lies and how its
// processes work together, and how much is computed at once, which changes results by rounding.
// Others in an extension that is asked for.
enum class ChangeKind { place, rounding, extension };
struct ChangeableKey {
  std::string_view key;
  ChangeKind kind;
};
constexpr ChangeableKey kChangeableKeys[] = {
    {"output", ChangeKind::place},
    {"data.store", ChangeKind::place},
    {"optimizer.shard", ChangeKind::place},
    {"run.timeout", ChangeKind::place},
    {"threads", ChangeKind::rounding},
    {"batches.max_tokens", ChangeKind::rounding},
    {"model.checkpoint_gradients", ChangeKind::rounding},
    {"run.epochs", ChangeKind::extension},
    {"run.patience", ChangeKind::extension},
    {"run.validate_every", ChangeKind::extension},
    {"run.checkpoint_every", ChangeKind::extension},
    {"run.keep_checkpoints", ChangeKind::extension},
};

// Null for a key that may not change.
const ChangeableKey* find_changeable(const std::string& key) {
  const auto* const found = std::ranges::find(kChangeableKeys, key, &ChangeableKey::key);
  return found == std::end(kChangeableKeys) ? nullptr : found;
}

std::string extension_keys() {
  std::vector<std::string> keys;
  for (const ChangeableKey& each : kChangeableKeys) {
    if (each.kind == ChangeKind::extension) keys.emplace_back(each.key);
  }
  return join(keys);
}

constexpr const char* kOtherFolder =
    "choose another folder with --output; or delete this folder, which discards its run";

Changes differences(const TrainConfig& before, const TrainConfig& now) {
  const config::FieldValues values_before = config::config_values(before);
  std::map<std::string, std::string> earlier(values_before.begin(), values_before.end());
  Changes changes;
  for (auto& [key, value] : config::config_values(now)) {
    if (std::string& there = earlier[key]; there != value) changes.push_back({key, there, value});
  }
  return changes;
}

// What `now` extends in a run of the configuration `before`. Throws InputError for a key that may
// not be changed, and for one that only an extension may change, unless `extend`.
Changes extensions_between(const TrainConfig& before, const TrainConfig& now, bool extend) {
  const auto refuse = [&](const Change& change, const std::string& advice) {
    throw InputError("the output directory holds a run with another configuration: " + change.key +
                         " is " + change.before + " there and " + change.now + " here",
                     now.output, advice + kOtherFolder);
  };
  Changes changes;
  for (Change& change : differences(before, now)) {
    const ChangeableKey* const found = find_changeable(change.key);
    if (found == nullptr) {
      refuse(change, extend ? "--extend changes only " + extension_keys() + "; " : "");
    } else if (found->kind == ChangeKind::extension) {
      changes.push_back(std::move(change));
    }
  }
  if (!changes.empty() && !extend) refuse(changes.front(), "continue that run with --extend; or ");
  return changes;
}

void require_same_inputs(const fs::path& run, const Json& inputs) {
  const Json earlier = Json::parse_file(run / kInputsFile);
  for (const auto& [key, hash] : inputs.object()) {
    if (earlier.require_string(key, (run / kInputsFile).string()) == hash.string()) continue;
    throw InputError("the file of " + key + " has changed since this run was started", run.string(),
                     kOtherFolder);
  }
}

// Returns the last build that trained the run, or "unknown" for a run from before builds
// were noted.
std::string last_build(const fs::path& run) {
  const fs::path file = run / kBuildsFile;
  std::string last = "unknown";
  if (!is_there(file, kChooseAnother)) return last;
  LineReader lines(file);
  for (std::string line; lines.next(line);) last = line;
  return last;
}

void require_same_build(const fs::path& run) {
  const std::string before = last_build(run), now = version_with_build();
  if (before == now) return;
  throw InputError("another build of rubric has trained this run: " + before + ", and this is " +
                       now + "; the two may compute other scores",
                   run.string(),
                   "resume it with --any-build, which adds a line to " + std::string(kBuildsFile) +
                       "; or delete this folder to train again");
}

// A finished run can only go on from its last checkpoint; without one it would start from the
// beginning.
void require_checkpoint(const fs::path& run) {
  const fs::path checkpoints = run / "checkpoints";
  if (is_there(checkpoints, kChooseAnother) && !fs::is_empty(checkpoints)) return;
  throw InputError("this run is finished and its checkpoints are gone, so it cannot go on",
                   checkpoints.string(),
                   "put the newest back, or train a longer run in another folder (--output)");
}

// Throws InputError unless the run directory, which is made only after data and model are found
// good, can be made.
void require_place(const fs::path& directory) {
  fs::path above = fs::absolute(directory).parent_path();
  while (!is_there(above, kChooseAnother)) above = above.parent_path();
  if (fs::is_directory(above) && access(above.c_str(), W_OK) == 0) return;
  throw InputError("the output directory cannot be made: " + above.string() +
                       (fs::is_directory(above) ? " is not writable" : " is not a folder"),
                   directory.string(), kChooseAnother);
}

// Whether a start of this run that was killed at once can have left the file: write_identity()
// writes inputs.json first, after the lock, and a user may have an unrelated file of that name.
bool is_of_abandoned_start(const fs::path& file, const Json& inputs) {
  const std::string name = file.filename().string();
  if (name == kLockFile) return read_file(file).empty();
  if (name == kInputsFile) return read_file(file) == inputs_text(inputs);
  if (name == kBuildsFile) {  // one line, of this build or of another
    const std::string text = read_file(file);
    return text.starts_with(std::string(kVersion) + "+") && text.find('\n') + 1 == text.size();
  }
  return name.starts_with(kConfigFile + std::string(".partial-")) ||
         name.starts_with(kInputsFile + std::string(".partial-")) ||
         name.starts_with(kBuildsFile + std::string(".partial-"));
}

// Throws InputError unless `directory`, which has no configuration of a run, can become a run
// directory.
void require_free(const fs::path& directory, const Json& inputs) {
  if (!is_there(directory, kChooseAnother)) return require_place(directory);
  std::error_code error;
  bool is_free = fs::is_directory(directory, error);
  for (fs::directory_iterator entry(directory, error), end; is_free && entry != end;
       entry.increment(error)) {
    is_free = is_of_abandoned_start(entry->path(), inputs);
  }
  if (is_free && !error) return;
  throw InputError("the output directory exists and is not a run" +
                       (is_free ? ": " + error.message() : std::string()),
                   directory.string(), kChooseAnother);
}

}  // namespace

Json input_hashes(const TrainConfig& config, const fs::path& encoder_directory) {
  Json hashes = data_hashes(config);
  std::vector<fs::path> files;
  if (config.model.weights != "random") files = models::weight_files(encoder_directory);
  for (fs::path& file : data::files_beside_weights(encoder_directory))
    files.push_back(std::move(file));
  std::string encoder;
  for (const fs::path& file : files) encoder += file.filename().string() + sha256_file(file);
  hashes["model.name"] = sha256(encoder);
  return hashes;
}

Json run_facts(const TrainConfig& config, const Json& inputs) {
  Json facts;
  TrainConfig same_everywhere = config;
  same_everywhere.data.store.clear();
  for (const auto& [key, value] : config::config_values(same_everywhere)) facts[key] = value;
  for (const auto& [key, hash] : inputs.object()) facts["the SHA-256 of " + key] = hash;
  return facts;
}

std::string describe_changes(const Changes& changes) {
  std::vector<std::string> texts;
  for (const auto& [key, before, now] : changes) texts.push_back(key + " " + before + " → " + now);
  return join(texts);
}

void log_rounding_changes(const TrainConfig& config) {
  const fs::path file = fs::path(config.output) / kConfigFile;
  if (!is_there(file, kChooseAnother)) return;
  Changes changes = differences(config::read_config<TrainConfig>(file, {}), config);
  std::erase_if(changes, [](const Change& change) {
    const ChangeableKey* const found = find_changeable(change.key);
    return found == nullptr || found->kind != ChangeKind::rounding;
  });
  if (changes.empty()) return;
  log_info("the run goes on with " + describe_changes(changes) +
           (config.device == "cpu" ? ": its results may differ by rounding"
                                   : ": its results may differ by rounding, and by masks of "
                                     "dropout, which a GPU draws for each micro-batch"));
}

std::optional<Changes> holds_run(const TrainConfig& config, const Json& inputs, Resume resume,
                                 bool extend) {
  const fs::path directory = config.output, file = directory / kConfigFile;
  if (!is_there(file, kChooseAnother)) {
    require_free(directory, inputs);
    if (!extend) return std::nullopt;
    throw InputError("there is no run to extend", directory.string(),
                     "name its folder with --output, or leave --extend out to start one");
  }
  const Changes changes =
      extensions_between(config::read_config<TrainConfig>(file, {}), config, extend);
  require_same_inputs(directory, inputs);
  if (!changes.empty() && is_finished(directory)) require_checkpoint(directory);
  if (resume == Resume::of_any_build) return changes;
  if (resume == Resume::automatic) {
    if (!is_finished(directory) || !changes.empty()) require_same_build(directory);
    return changes;
  }
  throw InputError("the output directory holds a run already", directory.string(),
                   "choose another folder with --output, or resume it with --resume auto");
}

void write_identity(const TrainConfig& config, const Json& inputs) {
  const fs::path directory = config.output;
  write_file(directory / kInputsFile, inputs_text(inputs));
  const fs::path builds = directory / kBuildsFile;
  const bool is_new = !is_there(directory / kConfigFile, kChooseAnother);
  if (is_new) {
    write_file(builds, version_with_build() + "\n");
  } else if (const std::string last = last_build(directory); last != version_with_build()) {
    const std::string before = is_there(builds, kChooseAnother) ? read_file(builds) : last + "\n";
    write_file(builds, before + version_with_build() + "\n");
  }
}

void write_config(const TrainConfig& config) {  // rewritten: the run may have been moved
  write_file(fs::path(config.output) / kConfigFile, config::print_config(config));
}

std::vector<std::string> builds_of(const fs::path& run) {
  std::vector<std::string> builds;
  if (!is_there(run / kBuildsFile, kChooseAnother)) return builds;
  LineReader lines(run / kBuildsFile);
  for (std::string line; lines.next(line);) builds.push_back(line);
  return builds;
}

bool is_finished(const fs::path& run) {
  return is_there(run / "results.json", kChooseAnother);
}

}  // namespace rubric::train
