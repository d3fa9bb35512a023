#include "cli/train_setup.h"

#include <utility>
#include <vector>

#include "config/find_file.h"
#include "config/reader.h"
#include "core/error.h"
#include "core/files.h"
#include "data/model_directory.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// Whether scripts/download mocha fetches this file.
bool is_of_mocha(const std::string& file) {
  const std::string data = environment("RUBRIC_DATA");
  return fs::path(file).parent_path() == fs::path(data.empty() ? "data" : data) / "mocha";
}

void require_data(const DataConfig& data) {
  std::vector<std::string> looked;
  bool is_mocha = true;
  for (const auto& [key, file] : {std::pair("data.train", data.train), {"data.dev", data.dev}}) {
    if (file.empty()) {
      throw InputError("no file is named", key, std::string("set it, or use --set ") + key + "=F");
    }
    std::error_code unreadable;  // counts as missing
    if (fs::is_regular_file(file, unreadable)) continue;
    looked.push_back(std::string(key) + ": looked at " + fs::absolute(file).string());
    is_mocha = is_mocha && is_of_mocha(file);
  }
  if (looked.empty()) return;
  throw InputError("data is missing", join(looked, "; "),
                   is_mocha ? "fetch it with scripts/download mocha, or set RUBRIC_DATA to the "
                              "folder that holds mocha/"
                            : "start in the folder that such paths begin in, or name other files "
                              "with --set data.train=F and --set data.dev=F");
}

// Both the data and the encoder: who lacks the one often lacks the other.
fs::path require_inputs(const TrainConfig& config) {
  std::vector<std::string> problems;
  fs::path encoder;
  try {
    require_data(config.data);
  } catch (const InputError& error) {
    problems.emplace_back(error.what());
  }
  try {
    encoder = find_model(config.model.name);
  } catch (const InputError& error) {
    problems.emplace_back(error.what());
  }
  if (!problems.empty()) throw InputError(join(problems, "\nerror: "));
  return encoder;
}

}  // namespace

void add_config_options(CommandSyntax& syntax) {
  namespace po = boost::program_options;
  syntax.options.add_options()("config", po::value<std::string>()->value_name("FILE"),
                               "as given, else looked up under configs/")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "overrides one key, such as optimizer.learning_rate=1e-5; may be repeated");
}

TrainSetup read_train_setup(const OptionValues& values, const std::string& output) {
  if (!values.contains("config")) {
    throw InputError("no configuration is named", "command line", "add --config FILE");
  }
  const fs::path file = find_shipped("configuration", "configs", file_option(values, "config"));
  TrainConfig config = read_config<TrainConfig>(file, list_option(values, "set"));
  if (!output.empty()) config.output = output;
  if (config.output.empty()) config.output = (fs::path("runs") / file.stem()).string();
  fs::path run = fs::path(config.output).lexically_normal();
  if (!run.has_filename()) run = run.parent_path();  // "runs/x/" is "runs/x"
  config.output = run.string();
  const fs::path encoder = require_inputs(config);
  return {std::move(config), encoder};
}

}  // namespace rubric
