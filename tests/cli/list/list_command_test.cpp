// `rubric list`, and what every command declares of itself.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "cli/list.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli::list_command_test {

TEST(List, EveryKindHasEntriesWithSummaries) {
  for (const std::string kind : {"metrics", "readers", "commands", "suites", "tasks", "encoders",
                                 "sequence-models", "features", "models"}) {
    const Outcome outcome = done(run({"rubric", "list", kind, "--json"}));
    const Json entries = Json::parse(outcome.out, kind);
    EXPECT_FALSE(entries.array().empty()) << kind;
    const std::string table = run({"rubric", "list", kind}).out;
    for (const Json& entry : entries.array()) {
      EXPECT_FALSE(entry.require_string("summary", kind).empty());
      expect_contains(table, entry.require_string("name", kind));
    }
  }
}

TEST(List, AnotherKindIsToldTheNearest) {
  expect_message(run({"rubric", "list", "metric"}), 2, {"did you mean metrics?"});
  expect_message(run({"rubric", "list", "metrics", "--markdown"}), 2, {"leave metrics out"});
}

TEST(List, AloneItTellsWhatCanBeListed) {
  const Outcome kinds = done(run({"rubric", "list"}));
  const Outcome json = done(run({"rubric", "list", "--json"}));
  const Json::Array all = Json::parse(json.out, "").array();
  EXPECT_GE(all.size(), 9U);
  for (const Json& kind : all) {
    const std::string& name = kind.require_string("name", "");
    expect_says(kinds.out, {name, kind.require_string("summary", "")});
    EXPECT_EQ(run({"rubric", "list", name}).code, 0) << name;
  }
}

TEST(List, ModelsAreThoseThatAreShipped) {
  const Json models = Json::parse(run({"rubric", "list", "models", "--json"}).out, "");
  ASSERT_FALSE(models.array().empty());
  const std::filesystem::path shipped = std::filesystem::path(source_folder()) / "models";
  for (const Json& model : models.array()) {
    const std::string& name = model.require_string("name", "");
    EXPECT_TRUE(std::filesystem::exists(shipped / name / "config.json")) << name;
  }
}

TEST(List, AMetricHasItsSettings) {
  const Json metrics = Json::parse(run({"rubric", "list", "metrics", "--json"}).out, "metrics");
  const auto found = std::ranges::find_if(metrics.array(), [](const Json& metric) {
    return metric.require_string("name", "") == "bertscore";
  });
  ASSERT_NE(found, metrics.array().end());
  EXPECT_EQ(found->find("settings")->array().size(), 4U);
  EXPECT_EQ(found->require_string("record", ""), "answer");
  EXPECT_EQ(found->find("default_model"), nullptr);
  const auto with_own = std::ranges::find_if(
      metrics.array(), [](const Json& metric) { return metric.find("default_model") != nullptr; });
  ASSERT_NE(with_own, metrics.array().end());
  EXPECT_EQ(with_own->require_string("name", ""), "lerc");
  EXPECT_EQ(with_own->require_string("default_model", ""), "lerc-answers-small");
}

TEST(List, TheDocumentsPageIsUpToDate) {
  EXPECT_EQ(read_file(std::string(source_folder()) + "/docs/lists.md"),
            run({"rubric", "list", "--markdown"}).out)
      << "make it again: rubric list --markdown > docs/lists.md";
}

// Every command, and each subcommand, as words of a command line.
std::vector<std::pair<Arguments, const Command*>> all_commands() {
  std::vector<std::pair<Arguments, const Command*>> all;
  for (const Command* const command : kCommands) {
    if (command->subcommands.empty()) all.push_back({{std::string(command->name)}, command});
    for (const Command* const subcommand : command->subcommands) {
      all.push_back({{std::string(command->name), std::string(subcommand->name)}, subcommand});
    }
  }
  return all;
}

// What --help, completion and documents show of a command's options.
std::vector<std::string> shown_names(const CommandSyntax& syntax) {
  std::vector<std::string> names;
  const boost::program_options::options_description shown = shown_options(syntax);
  for (const auto& option : shown.options()) names.push_back(option->long_name());
  return names;
}

TEST(Commands, HelpNamesEveryOption) {
  for (const auto& [words, command] : all_commands()) {
    Arguments call = {"rubric"};
    call.insert(call.end(), words.begin(), words.end());
    call.emplace_back("--help");
    const Outcome outcome = run(call);
    EXPECT_EQ(outcome.code, 0) << words[0];
    const CommandSyntax syntax = syntax_of(*command);
    for (const std::string& name : shown_names(syntax)) expect_contains(outcome.out, "--" + name);
    for (const auto& option : syntax.options.options()) {  // what is positional is in the usage
      const std::string& name = option->long_name();
      if (std::ranges::count(shown_names(syntax), name) > 0) continue;
      EXPECT_FALSE(holds(outcome.out, "  --" + name + " ")) << words[0];
    }
  }
}

// Values whose names may differ: what is made may be a file or a folder, a scale that of the label.
const std::map<std::string, std::set<std::string>> kValuesOfOneOption = {
    {"output", {"FILE", "DIR"}}, {"explain", {"", "ID"}}, {"scale", {"LOW:HIGH", "NAME=LOW:HIGH"}}};

// Options whose help each command may word for what it does; all others have one help in all.
const std::set<std::string> kReworded = {
    "constituent", "decoder-start", "dry-run",      "explain", "field",          "group",
    "hotpotqa",    "human-file",    "input",        "int8",    "judge",          "keep-going",
    "labels",      "language",      "ledger",       "limit",   "max-references", "metric",
    "model",       "no-source-eos", "other-ledger", "output",  "parameters",     "predictions",
    "resampled",   "resamples",     "scale",        "scores",  "seed",           "source",
    "summary",     "system",        "threads"};

// An option's value, without its default.
std::string value_name(const boost::program_options::option_description& option) {
  const std::string value = option.format_parameter();
  return value.substr(0, value.find(" (="));
}

TEST(Commands, OneNameIsOneThingInAll) {
  std::map<std::string, std::set<std::string>> values, helps;
  for (const auto& [words, command] : all_commands()) {
    const CommandSyntax syntax = syntax_of(*command);
    for (const std::string& name : shown_names(syntax)) {
      const auto& option = syntax.options.find(name, false);
      values[name].insert(value_name(option));
      helps[name].insert(option.description());
    }
  }
  for (const auto& [name, found] : values) {
    const auto allowed = kValuesOfOneOption.find(name);
    EXPECT_TRUE(found.size() == 1 ||
                (allowed != kValuesOfOneOption.end() && found == allowed->second))
        << "--" << name << " has the values " << join({found.begin(), found.end()});
  }
  for (const auto& [name, found] : helps) {
    EXPECT_TRUE(found.size() == 1 || kReworded.contains(name))
        << "--" << name << " means: " << join({found.begin(), found.end()}, " | ");
  }
  for (const std::string& name : kReworded) EXPECT_GT(helps[name].size(), 1U) << name;
}

// CMake reads the names from the list (src/CMakeLists.txt).
TEST(Commands, EachHasItsLinkBesideTheProgram) {
  for (const Command* const command : kCommands) {
    const std::filesystem::path link =
        std::string(programs_folder()) + "/" + std::string(command->name);
    EXPECT_EQ(std::filesystem::exists(link), command->has_link) << link;
  }
}

// An option that takes a file and is in none of the lists would be read and not hashed.
TEST(Commands, EveryOptionThatNamesAFileSaysWhatItIsFor) {
  for (const auto& [words, command] : all_commands()) {
    const auto call = command->make_call();
    for (const config::RequestField& field : call->fields.all()) {
      const bool is_file = field.value_name.find("FILE") != std::string::npos ||
                           field.value_name.find("DIR") != std::string::npos ||
                           field.value_name.find("ROWS") != std::string::npos;
      if (!is_file || field.name == "config") continue;
      EXPECT_NE(field.role, config::FieldRole::value) << words[0] << " --" << field.name;
    }
  }
}

}  // namespace rubric::cli::list_command_test
