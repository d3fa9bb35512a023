#include "train/run_identity.h"

#include <sstream>

#include <unistd.h>

#include "config/printer.h"
#include "config/reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "models/weights.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

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

void require_same_inputs(const fs::path& run, const Json& inputs) {
  const Json earlier = Json::parse_file(run / kInputsFile);
  for (const auto& [key, hash] : inputs.object()) {
    if (earlier.require_string(key, (run / kInputsFile).string()) == hash.string()) continue;
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

}  // namespace

Json input_hashes(const TrainConfig& config, const fs::path& encoder_directory) {
  Json hashes;
  hashes["data.train"] = sha256_file(config.data.train);
  hashes["data.dev"] = sha256_file(config.data.dev);
  std::vector<fs::path> files = weight_files(encoder_directory);
  for (const char* name : {"config.json", "vocab.txt", "tokenizer.json", "tokenizer_config.json"}) {
    if (fs::exists(encoder_directory / name)) files.push_back(encoder_directory / name);
  }
  std::string encoder;
  for (const fs::path& file : files) encoder += file.filename().string() + sha256_file(file);
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
    if (!name.starts_with("config.yaml.partial") && !name.starts_with(kInputsFile)) throw foreign();
  }
  return false;
}

bool is_finished(const fs::path& run) {
  return fs::exists(run / "results.json");
}

}  // namespace rubric
