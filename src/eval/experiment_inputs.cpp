#include "eval/experiment_inputs.h"

#include <algorithm>
#include <functional>

#include "config/find_file.h"
#include "config/layers.h"
#include "core/error.h"
#include "data/model_directory.h"
#include "metrics/meteor_data.h"
#include "metrics/model_option.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// "a.b=v" a line.
void append_lines(const Yaml& node, const std::string& key, std::string& out) {
  if (node.kind == Yaml::Kind::map) {
    for (const auto& [name, value] : node.members) append_lines(value, key + "." + name, out);
    return;
  }
  out += key + "=" + node.text;
  for (const Yaml& item : node.items) out += " " + item.text;
  out += "\n";
}

std::vector<std::string> values_of(const std::vector<std::string>& words, const std::string& name) {
  std::vector<std::string> values;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == name) values.push_back(words[i + 1]);
  }
  return values;
}

// The models that a command's options name. Only `score` may name a metric in front of one.
std::vector<std::string> models_of_options(const std::vector<std::string>& command) {
  std::vector<std::string> models = values_of(command, "--model");
  if (command.front() == "score") {
    for (std::string& model : models) model = parse_model_option(model).model;
  }
  const std::vector<std::string> baselines = values_of(command, "--baseline-model");
  models.insert(models.end(), baselines.begin(), baselines.end());
  return models;
}

std::string model_of_configuration(const Yaml& configuration) {
  const Yaml* const model = configuration.find("model");
  const Yaml* const name = model == nullptr ? nullptr : model->find("name");
  return name == nullptr ? "" : name->text;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

// score's second word lists metrics, separated by commas.
bool scores_meteor(const std::vector<std::string>& command) {
  return command.front() == "score" && command.size() > 1 &&
         ("," + command[1] + ",").find(",meteor,") != std::string::npos;
}

// Looks for what is not a plain file; where it is not there, `missing` gets the message in one
// line.
void look_for(const std::function<void()>& look, std::vector<std::string>& missing) {
  try {
    look();
  } catch (const InputError& error) {
    missing.push_back(one_line(error));
  }
}

}  // namespace

RunInputs inputs_of(const Experiment& experiment, const StepRun& run, const FilledStep& filled) {
  RunInputs inputs;
  std::vector<std::string> models = models_of_options(filled.command);
  if (filled.command.front() == "train") {
    const Yaml configuration = configuration_of(*run.step, filled.command);
    append_lines(configuration, "", inputs.configuration);
    models.push_back(model_of_configuration(configuration));
  }
  for (const std::string& file : filled.reads) {
    std::error_code unreadable;  // counts as missing
    if (fs::is_regular_file(file, unreadable)) {
      inputs.files.emplace_back(file);
    } else {
      inputs.missing_files.push_back(file);
    }
  }
  for (const std::string& name : models) {
    const auto makes_it = [&](const Step& step) {
      return is_below(name, fs::path(experiment.output) / step.name);
    };
    if (name.empty() || std::ranges::any_of(experiment.steps, makes_it)) continue;
    look_for([&] { inputs.models[name] = model_files(find_model(name)); }, inputs.missing_others);
  }
  if (scores_meteor(filled.command)) {
    look_for([&] { inputs.meteor = meteor_files(meteor_folder()); }, inputs.missing_others);
  }
  return inputs;
}

std::string source_of(const Experiment& experiment, const std::string& file) {
  for (const auto& [variable, source] : experiment.sources) {
    const std::string& place = experiment.variables.at(variable);
    if (file == place || file.starts_with(place + "/")) return source;
  }
  return "";
}

std::string missing_text(const Experiment& experiment, const RunInputs& inputs) {
  std::vector<std::string> all = inputs.missing_files;
  all.insert(all.end(), inputs.missing_others.begin(), inputs.missing_others.end());
  if (all.empty()) return "";
  const std::string others = " and " + std::to_string(all.size() - 1) + " more are missing";
  if (inputs.missing_files.empty()) return all.size() > 1 ? all[0] + others : all[0];
  const std::string source = source_of(experiment, all[0]);
  return all[0] + (all.size() > 1 ? others : " is missing") + (source.empty() ? "" : ": " + source);
}

std::vector<fs::path> all_files(const RunInputs& inputs) {
  std::vector<fs::path> files = inputs.files;
  for (const auto& [name, of_model] : inputs.models) {
    files.insert(files.end(), of_model.begin(), of_model.end());
  }
  files.insert(files.end(), inputs.meteor.begin(), inputs.meteor.end());
  return files;
}

Yaml configuration_of(const Step& step, const std::vector<std::string>& command) {
  const std::vector<std::string> names = values_of(command, "--config");
  if (names.size() != 1) {
    throw InputError("steps." + step.name + ": expected one --config", step.where);
  }
  fs::path file;
  try {
    file = find_shipped("configuration", "configs", names.front());
  } catch (const InputError&) {
    throw InputError("steps." + step.name + ": there is no configuration \"" + names.front() + "\"",
                     step.where, "name one of the files in configs/");
  }
  return load_layers(file, values_of(command, "--set"));
}

}  // namespace rubric
