#include "cli/train_setup.h"

#include <filesystem>
#include <vector>

#include "config/reader.h"
#include "core/error.h"
#include "core/files.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

fs::path find_config(const std::string& name) {
  std::vector<fs::path> places = {name};
  if (fs::path(name).is_relative()) {
    const fs::path installed = program_directory().parent_path();
    places.insert(places.end(),
                  {fs::path("configs") / name, installed / "share" / "rubric" / "configs" / name,
                   installed.parent_path() / "configs" / name});
  }
  std::vector<std::string> looked;
  for (const fs::path& place : places) {
    std::error_code unreadable;  // counts as missing
    if (fs::is_regular_file(place, unreadable)) return place;
    looked.push_back(place.string());
  }
  throw InputError("there is no configuration \"" + name + "\"", "looked at " + join(looked),
                   "name a file, or one of the files in configs/");
}

void require_data(const std::string& file, const std::string& key) {
  if (file.empty()) throw InputError("no file is named", key, "set it, or use --set " + key + "=F");
  std::error_code unreadable;  // counts as missing
  if (fs::is_regular_file(file, unreadable)) return;
  const bool mocha = file.find("mocha") != std::string::npos;
  throw InputError("the data file is missing", key + ": looked at " + fs::absolute(file).string(),
                   mocha
                       ? "fetch it with scripts/download mocha, and set RUBRIC_DATA to the folder "
                         "that holds mocha/"
                       : "name another with --set " + key + "=F");
}

}  // namespace

void add_config_options(CommandSyntax& syntax) {
  namespace po = boost::program_options;
  syntax.options.add_options()("config", po::value<std::string>()->value_name("FILE"),
                               "as given, else looked up under configs/")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "overrides one key, such as optimizer.learning_rate=1e-5; may be repeated");
}

TrainConfig config_option(const OptionValues& values, const std::string& output) {
  if (!values.contains("config")) {
    throw InputError("no configuration is named", "command line", "add --config FILE");
  }
  const fs::path file = find_config(file_option(values, "config"));
  TrainConfig config = read_config<TrainConfig>(file, list_option(values, "set"));
  if (!output.empty()) config.output = output;
  if (config.output.empty()) config.output = (fs::path("runs") / file.stem()).string();
  fs::path run = fs::path(config.output).lexically_normal();
  if (!run.has_filename()) run = run.parent_path();  // "runs/x/" is "runs/x"
  config.output = run.string();
  require_data(config.data.train, "data.train");
  require_data(config.data.dev, "data.dev");
  return config;
}

}  // namespace rubric
