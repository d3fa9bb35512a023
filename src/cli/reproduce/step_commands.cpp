#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "cli/list.h"
#include "cli/reproduce/reproduce.h"
#include "cli/shared/program.h"
#include "config/reader.h"
#include "core/error.h"
#include "core/files/shipped_files.h"
#include "data/multiple_choice/list.h"
#include "data/tasks/list.h"
#include "metrics/list.h"

namespace rubric::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

struct Call {
  const Command& command;  // or its part that the second word names
  Words arguments;
};

Call call_of(Words words, const std::string& where) {
  std::vector<const Command*> of_steps;
  std::ranges::copy_if(kCommands, std::back_inserter(of_steps), &Command::is_step);
  const std::string name = words.empty() ? "" : words[0];
  const Command& command = require<Command>(of_steps, name, "command of steps", where);
  words.erase(words.begin());
  if (command.parts.empty()) return {command, words};
  const Command& part =
      require(command.parts, words.empty() ? "" : words[0], "part of " + name, where);
  words.erase(words.begin());
  return {part, words};
}

// The values of a call's options and positional arguments, by name. Nothing is converted: a value
// may still be a placeholder.
using Values = std::map<std::string, Words>;

Values values_of(const CommandSyntax& syntax, Words words) {
  Values values;
  unsigned position = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      if (position >= syntax.positional.max_total_count()) continue;  // the command reports it
      values[syntax.positional.name_for_position(position++)].push_back(words[i]);
      continue;
    }
    const std::string name = words[i].substr(2);
    const auto* const option = syntax.options.find_nothrow(name, /*approx=*/false);
    if (option == nullptr) continue;  // the command reports it
    const unsigned most = option->semantic()->max_tokens();
    for (unsigned taken = 0; taken < most && i + 1 < words.size(); ++taken) {
      if (taken > 0 && words[i + 1].starts_with("--")) break;
      values[name].push_back(words[++i]);
    }
  }
  return values;
}

Words values_of(const Values& values, const Words& names) {
  Words all;
  for (const std::string& name : names) {
    const auto found = values.find(name);
    if (found != values.end()) all.insert(all.end(), found->second.begin(), found->second.end());
  }
  return all;
}

bool is_there_now(const std::string& name) {
  std::error_code unreadable;  // counts as missing
  return fs::exists(name, unreadable);
}

// The names in "a,b"; empty if the list is malformed, which the command reports.
Words names_in(const std::string& list) {
  try {
    return split_names(list);
  } catch (const InputError&) {
    return {};
  }
}

// The file of a value: FILE, or NAME=FILE.
std::string file_of(const std::string& value) {
  const size_t equals = value.find('=');
  const bool is_named = equals != std::string::npos && value.find('/') > equals;
  return is_named && !is_there_now(value) ? value.substr(equals + 1) : value;
}

Words files_of(const Words& values) {
  Words files;
  std::ranges::transform(values, std::back_inserter(files), file_of);
  return files;
}

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

// The node at "a.b", or null.
const config::Yaml* find_key(const config::Yaml& node, std::string_view key) {
  const config::Yaml* found = &node;
  while (found != nullptr && !key.empty()) {
    const size_t dot = std::min(key.find('.'), key.size());
    found = found->find(key.substr(0, dot));
    key.remove_prefix(std::min(dot + 1, key.size()));
  }
  return found;
}

Words texts_of_key(const config::Yaml* node) {
  if (node == nullptr) return {};
  if (node->items.empty()) return node->text.empty() ? Words() : Words{node->text};
  Words texts;
  for (const config::Yaml& item : node->items) texts.push_back(item.text);
  return texts;
}

// The files of a path that a reader of questions reads: of a directory those in it.
Words files_of(const data::ChoiceReader& reader, const std::string& path) {
  if (reader.files_of == nullptr || !is_there_now(path)) return {path};
  try {
    Words files;
    for (const fs::path& file : reader.files_of(path)) files.push_back(file.string());
    return files;
  } catch (const InputError&) {
    return {path};  // train says what is wrong with it
  }
}

// The files that `node` names, the value of one of a task's file_keys: a file, or the group of
// `questions`, which has a group for each reader.
Words files_of_key(const config::Yaml* node) {
  Words files = texts_of_key(node);
  if (node == nullptr || node->kind != config::Yaml::Kind::map) return files;
  for (const data::ChoiceReader* const reader : data::kChoiceReaders) {
    const config::Yaml* const group = node->find(reader->name);
    if (group == nullptr) continue;
    for (const auto& [split, paths] : group->members) {
      for (const std::string& path : texts_of_key(&paths)) {
        for (std::string& file : files_of(*reader, path)) files.push_back(std::move(file));
      }
    }
  }
  return files;
}

// What a run of this configuration reads. The keys are looked up without their types, which values
// that are still to be chosen would not have. Data that is missing is train's to report.
void add_configuration(const Values& values, eval::CommandUse& use) {
  const Words names = values_of(values, {"config"});
  if (names.size() != 1)
    throw InputError("expected one --config", "", "name one: train --config NAME");
  fs::path file;
  try {
    file = find_shipped("configuration", "configs", names.front());
  } catch (const InputError&) {
    throw InputError("there is no configuration \"" + names.front() + "\"", "",
                     "name one of the files in configs/");
  }
  const config::Yaml configuration = config::load_layers(file, values_of(values, {"set"}));
  append_lines(configuration, "", use.configuration);
  for (const std::string& model : texts_of_key(find_key(configuration, "model.name"))) {
    use.models.push_back(model);
  }
  std::set<std::string_view> keys;  // of every task: which it is may still be to be chosen
  for (const data::TaskKind* const task : data::kTasks) {
    keys.insert(task->file_keys.begin(), task->file_keys.end());
  }
  for (const std::string_view key : keys) {
    for (std::string& data : files_of_key(find_key(configuration, key))) {
      use.files.push_back(std::move(data));
    }
  }
}

// `models`: the values of --model.
void add_metrics(const std::string& names, const Words& models, eval::CommandUse& use) {
  for (const std::string& name : names_in(names)) {
    const metrics::MetricKind* const kind = find<metrics::MetricKind>(metrics::kMetrics, name);
    if (kind == nullptr) continue;  // the command reports it
    if (kind->files != nullptr) use.data.push_back(kind->files);
    if (kind->resumes) use.resumes = true;
    const bool is_named = std::ranges::any_of(models, [&](const std::string& value) {
      const std::string metric = metrics::parse_model_option(value).metric;
      return metric.empty() || metric == kind->name;
    });
    if (kind->default_model != nullptr && !is_named) {
      use.models.push_back(kind->default_model_name());
    }
  }
}

eval::StepCommand describe(const Words& words, const std::string& where) {
  const Call call = call_of(words, where);
  const CommandSyntax syntax = syntax_of(call.command);
  const bool begins_with_option = call.arguments.empty() || call.arguments[0].starts_with("--");
  if (!syntax.metrics.empty() && begins_with_option) {
    throw InputError(words[0] + " does not begin with its metrics", where,
                     "name them first: score f1,em --input …");
  }
  const bool takes_summary = syntax.options.find_nothrow("summary", false) != nullptr;
  return {syntax.prints_results, takes_summary && !syntax.prints_results, syntax.makes_directory,
          syntax.appends};
}

eval::CommandUse use_of(const Words& words) {
  const Call call = call_of(words, "");
  const CommandSyntax syntax = syntax_of(call.command);
  const Values values = values_of(syntax, call.arguments);
  eval::CommandUse use;
  use.files = files_of(values_of(values, syntax.inputs));
  for (const std::string& list : values_of(values, syntax.input_lists)) {
    for (std::string& file : names_in(list)) use.files.push_back(std::move(file));
  }
  for (const std::string& option : syntax.models) {
    for (const std::string& value : values_of(values, {option})) {
      const bool may_name_metric = !syntax.metrics.empty() && option == "model";
      use.models.push_back(may_name_metric ? metrics::parse_model_option(value).model : value);
    }
  }
  use.resumes = syntax.resumes;
  if (syntax.options.find_nothrow("config", false) != nullptr) add_configuration(values, use);
  if (syntax.metrics.empty()) return use;
  const Words given = values_of(values, {"model"});
  for (const std::string& names : values_of(values, {syntax.metrics})) {
    add_metrics(names, given, use);
  }
  return use;
}

}  // namespace

eval::StepCommands step_commands() {
  return {describe, use_of};
}

}  // namespace rubric::cli
