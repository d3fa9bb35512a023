
#include "eval/reproduce/inputs.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "config/reader.h"
#include "core/error.h"
#include "core/files/shipped_files.h"
#include "data/model_files/model_directory.h"
#include "metrics/meteor/data.h"

namespace rubric::eval {

namespace {
namespace fs = std::filesystem;

// "a.b=v" a line.
void append_lines(const config::Yaml& node, const std::string& key, std::string& out) {
  if (node.kind == config::Yaml::Kind::map) {
    for (const auto& [name, value] : node.members) append_lines(value, key + "." + name, out);
    return;
  }
  out += key + "=" + node.text;
  for (const config::Yaml& item : node.items) out += " " + item.text;
  out += "\n";
}

std::vector<std::string> values_of(const std::vector<std::string>& words, const std::string& name) {
  std::vector<std::string> values;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == name) values.push_back(words[i + 1]);
  }
  return values;
}

// "lerc=DIR" or DIR, which may contain "=" after a "/".
std::string model_of_option(const std::string& value) {
  const size_t equals = value.find('=');
  return equals < value.find('/') ? value.substr(equals + 1) : value;
}

std::string model_of_configuration(const config::Yaml& configuration) {
  const config::Yaml* const model = configuration.find("model");
  const config::Yaml* const name = model == nullptr ? nullptr : model->find("name");
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

// Calls `look`; if it throws, adds its one-line message to `missing`.
void look_for(const std::function<void()>& look, std::vector<std::string>& missing) {
  try {
    look();
  } catch (const InputError& error) {
    missing.push_back(one_line(error));
  }
}

void add_once(const std::string& text, std::vector<std::string>& texts) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

// For each requested cell or run, the runs that it needs directly.
std::vector<std::vector<size_t>> goals_of(const Plan& plan) {
  std::vector<std::vector<size_t>> goals;
  for (const CellRuns& cell : plan.cells) {
    goals.emplace_back();
    for (const auto& seeds : cell.runs) {
      goals.back().insert(goals.back().end(), seeds.begin(), seeds.end());
    }
  }
  for (const size_t run : plan.asked) goals.push_back({run});
  return goals;
}

// Marks these runs and all that they need, by run of the plan.
std::vector<bool> with_needs(const Plan& plan, const std::vector<size_t>& goal) {
  std::vector<bool> needed(plan.runs.size());
  for (const size_t run : goal) needed[run] = true;
  for (size_t i = plan.runs.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const size_t need : plan.runs[i].needs) needed[need] = true;
  }
  return needed;
}

// `lacks` says for each run why it cannot be made, "" if it can.
std::vector<std::string> of_no_use(const Plan& plan, const std::vector<std::string>& lacks) {
  std::vector<std::string> reasons(plan.runs.size());
  std::vector<bool> is_of_use(plan.runs.size());
  for (const std::vector<size_t>& goal : goals_of(plan)) {
    const auto stopped =
        std::ranges::find_if(goal, [&](size_t run) { return !lacks[run].empty(); });
    const std::vector<bool> needed = with_needs(plan, goal);
    for (size_t i = 0; i < needed.size(); ++i) {
      if (!needed[i]) continue;
      if (stopped == goal.end()) {
        is_of_use[i] = true;
      } else if (reasons[i].empty()) {
        reasons[i] = "nothing could use it: " + lacks[*stopped];
      }
    }
  }
  for (size_t i = 0; i < reasons.size(); ++i) {
    if (is_of_use[i]) reasons[i].clear();
  }
  return reasons;
}

}  // namespace

RunInputs inputs_of(const Experiment& experiment, const StepRun& run, const FilledStep& filled) {
  RunInputs inputs;
  std::vector<std::string> models;
  for (const char* const option : {"--model", "--baseline-model"}) {
    for (const std::string& value : values_of(filled.command, option)) {
      models.push_back(model_of_option(value));
    }
  }
  if (filled.command.front() == "train") {
    const config::Yaml configuration = configuration_of(*run.step, filled.command);
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
    look_for([&] { inputs.models[name] = data::model_files(data::find_model(name)); },
             inputs.missing_others);
  }
  if (scores_meteor(filled.command)) {
    look_for([&] { inputs.meteor = metrics::meteor_files(metrics::meteor_folder()); },
             inputs.missing_others);
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

config::Yaml configuration_of(const Step& step, const std::vector<std::string>& command) {
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
  return config::load_layers(file, values_of(command, "--set"));
}

MissingInputs find_missing_inputs(const Experiment& experiment, const Plan& plan) {
  std::map<std::string, std::vector<std::string>> files;  // by source
  std::vector<std::string> others, lacks;
  for (const StepRun& run : plan.runs) {
    const RunInputs inputs = inputs_of(experiment, run, fill_in(experiment, run));
    for (const std::string& file : inputs.missing_files) {
      add_once(file, files[source_of(experiment, file)]);
    }
    for (const std::string& other : inputs.missing_others) add_once(other, others);
    lacks.push_back(missing_text(experiment, inputs));
    for (const size_t need : run.needs) {
      if (lacks.back().empty()) lacks.back() = lacks[need];
    }
  }
  MissingInputs missing_inputs{{}, of_no_use(plan, lacks)};
  for (const auto& [source, names] : files) {
    missing_inputs.missing.push_back(join(names) + (source.empty() ? "" : ": " + source));
  }
  missing_inputs.missing.insert(missing_inputs.missing.end(), others.begin(), others.end());
  return missing_inputs;
}

}  // namespace rubric::eval
