#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "core/error.h"
#include "data/model_files/model_directory.h"
#include "eval/reproduce/plan.h"

namespace rubric::eval {
namespace {
namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

void append(const std::vector<std::string>& more, std::vector<std::string>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

// Adds a file, or all files of a directory, to the inputs or to what is missing.
void add_file(const std::string& name, RunInputs& inputs) {
  std::error_code unreadable;
  if (fs::is_directory(name, unreadable)) {
    std::vector<fs::path> inside;
    for (fs::recursive_directory_iterator entry(name, unreadable), end; !unreadable && entry != end;
         entry.increment(unreadable)) {
      std::error_code unknown;  // a broken link, for one
      if (entry->is_regular_file(unknown)) inside.push_back(entry->path());
    }
    if (unreadable) {
      inputs.missing_others.push_back("cannot read the directory " + name + ": " +
                                      unreadable.message());
    }
    std::ranges::sort(inside);
    inputs.files.insert(inputs.files.end(), inside.begin(), inside.end());
  } else if (fs::is_regular_file(name, unreadable)) {
    inputs.files.emplace_back(name);
  } else {
    inputs.missing_files.push_back(name);
  }
}

// Calls `look`; if it throws, adds its one-line message to `missing`.
void look_for(const std::function<void()>& look, std::vector<std::string>& missing) {
  try {
    look();
  } catch (const InputError& error) {
    missing.push_back(one_line(error));
  }
}

// "a, b, c and 5 more"
std::string some_of(std::vector<std::string> names) {
  constexpr size_t kTold = 3;
  if (names.size() <= kTold) return join(names);
  const std::string others = " and " + std::to_string(names.size() - kTold) + " more";
  names.resize(kTold);
  return join(names) + others;
}

// For each requested cell or run, the runs that it needs directly.
std::vector<std::vector<size_t>> goals_of(const Plan& plan) {
  std::vector<std::vector<size_t>> goals;
  for (const CellRuns& cell : plan.cells) {
    goals.emplace_back();
    for (const auto& all : {cell.runs, cell.minus}) {
      for (const auto& seeds : all) {
        goals.back().insert(goals.back().end(), seeds.begin(), seeds.end());
      }
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
  std::vector<std::string> named, models;
  for (const std::vector<std::string>& words : split_commands(filled.command)) {
    CommandUse use;
    try {
      use = experiment.commands.use_of(words);
    } catch (const InputError& error) {
      throw InputError("steps." + run.step->name + ": " + one_line(error), run.step->where);
    }
    append(use.files, named);
    append(use.models, models);
    inputs.configuration += use.configuration;
    inputs.resumes = inputs.resumes || use.resumes;
    for (const auto files_of_metric : use.data) {
      look_for([&] { inputs.meteor = files_of_metric(); }, inputs.missing_others);
    }
  }
  const auto is_written = [&](const std::string& name) {
    return std::ranges::any_of(experiment.steps, [&](const Step& step) {
      return is_below(name, fs::path(experiment.output) / step.name);
    });
  };
  for (const std::string& file : filled.reads) add_file(file, inputs);
  for (const std::string& file : named) {
    std::error_code unreadable;  // counts as missing; a pipe cannot be hashed
    const fs::file_status status = fs::status(file, unreadable);
    const bool is_listed = std::ranges::count(filled.reads, file) > 0;
    if (is_listed || is_written(file)) continue;
    if (fs::is_regular_file(status) || fs::is_directory(status)) add_file(file, inputs);
  }
  for (const std::string& name : models) {
    if (name.empty() || is_written(name)) continue;
    look_for([&] { inputs.models[name] = data::model_files(data::find_model(name)); },
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
    missing_inputs.missing.push_back(some_of(names) + (source.empty() ? "" : ": " + source));
  }
  missing_inputs.missing.insert(missing_inputs.missing.end(), others.begin(), others.end());
  return missing_inputs;
}

}  // namespace rubric::eval
