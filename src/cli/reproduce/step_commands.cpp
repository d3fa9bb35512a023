// The commands of an experiment's steps, and what a call of one reads: what its fields name.
#include <algorithm>
#include <iterator>

#include "cli/list.h"
#include "cli/reproduce/reproduce.h"
#include "cli/shared/options.h"
#include "config/printer.h"
#include "config/reader.h"
#include "config/request.h"
#include "core/error.h"
#include "core/files/shipped_files.h"
#include "metrics/list.h"
#include "train/settings/train_config.h"

namespace rubric::cli {
namespace {

using Words = std::vector<std::string>;

struct CallOfStep {
  const Command& command;  // or its subcommand that the second word names
  Words arguments;
};

CallOfStep call_of(Words words, const std::string& where) {
  std::vector<const Command*> of_steps;
  std::ranges::copy_if(kCommands, std::back_inserter(of_steps), &Command::is_step);
  const std::string name = words.empty() ? "" : words[0];
  const Command& command = require<Command>(of_steps, name, "command of steps", where);
  words.erase(words.begin());
  if (command.subcommands.empty()) return {command, words};
  const Command& subcommand =
      require(command.subcommands, words.empty() ? "" : words[0], "subcommand of " + name, where);
  words.erase(words.begin());
  return {subcommand, words};
}

bool has_field(const config::Call& call, bool config::RequestField::*property) {
  return std::ranges::any_of(call.fields.all(), property);
}

eval::StepCommand describe(const Words& words, const std::string& where) {
  const CallOfStep step = call_of(words, where);
  const auto call = step.command.make_call();
  const bool begins_with_option = step.arguments.empty() || step.arguments[0].starts_with("--");
  if (has_field(*call, &config::RequestField::lists_metrics) && begins_with_option) {
    throw InputError(words[0] + " does not begin with its metrics", where,
                     "name them first: score f1,em --input …");
  }
  return {.prints_results = call->has_result,
          .writes_summary =
              std::ranges::count(call->fields.all(), "summary", &config::RequestField::name) > 0,
          .makes_directory = step.command.makes_directory,
          .appends = has_field(*call, &config::RequestField::is_appended)};
}

// Calls `use`; what it refuses is the command's to report.
template <class Use>
void unless_refused(const Use& use) {
  try {
    use();
  } catch (const InputError&) {
    return;
  }
}

// What a run of this configuration reads.
void add_configuration(const Words& names, const Words& overrides, eval::CommandUse& use) {
  if (names.size() != 1) {
    throw InputError("expected one --config", "", "name one: train --config NAME");
  }
  const auto config = config::read_config<train::TrainConfig>(
      find_shipped("configuration", "configs", names.front()), overrides);
  use.configuration = config::print_config(config);
  use.models.push_back(config.model.name);
  for (const train::DataSource& source : train::data_sources(config)) {
    unless_refused([&] {
      for (const auto& file : train::files_of(source)) use.files.push_back(file.string());
    });
  }
}

// What a metric reads besides; `models`: the values of --model.
void add_metric(const metrics::MetricKind& kind, const Words& models, eval::CommandUse& use) {
  if (kind.files != nullptr) use.data.push_back(kind.files);
  if (kind.resumes) use.resumes = true;
  const bool is_named = std::ranges::any_of(models, [&](const std::string& value) {
    const std::string metric = metrics::parse_model_option(value).metric;
    return metric.empty() || metric == kind.name;
  });
  if (kind.default_model != nullptr && !is_named) use.models.push_back(kind.default_model_name());
}

// Values may still be placeholders: none is converted.
eval::CommandUse use_of(const Words& words) {
  const CallOfStep step = call_of(words, "");
  const auto call = step.command.make_call();
  std::map<std::string, Words> values;
  const bool has_metrics = has_field(*call, &config::RequestField::lists_metrics);
  eval::CommandUse use;
  use.resumes = step.command.resumes;
  try {
    values = given_texts(syntax_of(step.command), step.arguments);
  } catch (const InputError&) {
    return use;  // the command fails, and says why
  }
  for (const config::RequestField& field : call->fields.all()) {
    Words given;
    for (const std::string& value : values[field.name]) {
      if (!field.is_list) given.push_back(value);
      if (!field.is_list) continue;
      unless_refused([&] { std::ranges::move(split_names(value), std::back_inserter(given)); });
    }
    if (field.name == "config") add_configuration(given, values["set"], use);
    for (const std::string& value : given) {
      if (field.role == config::FieldRole::input) use.files.push_back(config::file_of(value));
      if (field.role == config::FieldRole::model) {
        const bool may_name_metric = has_metrics && field.name == "model";
        use.models.push_back(may_name_metric ? metrics::parse_model_option(value).model : value);
      }
      if (!field.lists_metrics) continue;
      const auto* const kind = find<metrics::MetricKind>(metrics::kMetrics, value);
      if (kind != nullptr) add_metric(*kind, values["model"], use);
    }
  }
  return use;
}

}  // namespace

eval::StepCommands step_commands() {
  return {describe, use_of};
}

}  // namespace rubric::cli
