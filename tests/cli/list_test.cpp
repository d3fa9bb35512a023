// `rubric list`, and what every command declares of itself.
#include "cli/list.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/process.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::cli {
namespace {

TEST(List, EveryKindHasEntriesWithSummaries) {
  for (const std::string kind :
       {"metrics", "readers", "commands", "suites", "tasks", "encoders", "sequence-models"}) {
    const Outcome outcome = run({"rubric", "list", kind, "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
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
  expect_message(run({"rubric", "list"}), 2, {"name one of metrics, readers"});
  expect_message(run({"rubric", "list", "metrics", "--markdown"}), 2, {"leave metrics out"});
}

TEST(List, AMetricHasItsSettings) {
  const Json metrics = Json::parse(run({"rubric", "list", "metrics", "--json"}).out, "metrics");
  const auto found = std::ranges::find_if(metrics.array(), [](const Json& metric) {
    return metric.require_string("name", "") == "bertscore";
  });
  ASSERT_NE(found, metrics.array().end());
  EXPECT_EQ(found->find("settings")->array().size(), 4U);
  EXPECT_EQ(found->require_string("record", ""), "answer");
}

TEST(List, TheDocumentsPageIsUpToDate) {
  EXPECT_EQ(read_file(std::string(source_folder()) + "/docs/lists.md"),
            run({"rubric", "list", "--markdown"}).out)
      << "make it again: rubric list --markdown > docs/lists.md";
}

// What bash offers behind `line`, whose last word is being written.
std::string completions(const std::string& line) {
  const std::string script =
      "source <(\"$0\" list --bash); COMP_WORDS=(" + line +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rubric; echo \"${COMPREPLY[*]}\"";
  const TemporaryFolder folder;
  EXPECT_EQ(run_process({"/bin/bash", "-c", script, std::string(programs_folder()) + "/rubric"},
                        {"", folder.file("out"), folder.file("err")}),
            0);
  return read_file(folder.file("out")) + read_file(folder.file("err"));
}

TEST(List, BashCompletesCommandsSuitesOptionsAndMetrics) {
  EXPECT_EQ(completions("rubric ev"), "evaluate\n");
  EXPECT_EQ(completions("rubric evaluate agr"), "agreement\n");
  EXPECT_EQ(completions("rubric evaluate agreement --hu"), "--human\n");
  EXPECT_EQ(completions("evaluate agreement --hu"), "--human\n");
  EXPECT_EQ(completions("score rouge_"), "rouge_l\n");
  EXPECT_EQ(completions("score f1 --per"), "--per-token\n");
}

// Every command, and each part of one, as words of a command line.
std::vector<std::pair<Arguments, const Command*>> all_commands() {
  std::vector<std::pair<Arguments, const Command*>> all;
  for (const Command* const command : kCommands) {
    if (command->parts.empty()) all.push_back({{std::string(command->name)}, command});
    for (const Command* const part : command->parts) {
      all.push_back({{std::string(command->name), std::string(part->name)}, part});
    }
  }
  return all;
}

TEST(Commands, HelpNamesEveryOption) {
  for (const auto& [words, command] : all_commands()) {
    Arguments call = {"rubric"};
    call.insert(call.end(), words.begin(), words.end());
    call.emplace_back("--help");
    const Outcome outcome = run(call);
    EXPECT_EQ(outcome.code, 0) << words[0];
    const CommandSyntax syntax = command->syntax();
    for (const auto& option : syntax.options.options()) {
      expect_contains(outcome.out, "--" + option->long_name());
    }
  }
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
    const CommandSyntax syntax = command->syntax();
    Arguments declared = {"config"};
    for (const Arguments* const list :
         {&syntax.inputs, &syntax.input_lists, &syntax.outputs, &syntax.models}) {
      for (const std::string& name : *list) {
        EXPECT_NE(syntax.options.find_nothrow(name, false), nullptr)
            << words[0] << " has no --" << name;
        declared.push_back(name);
      }
    }
    for (const auto& option : syntax.options.options()) {
      const std::string value = option->format_parameter();
      const bool is_file = value.find("FILE") != std::string::npos ||
                           value.find("DIR") != std::string::npos ||
                           value.find("ROWS") != std::string::npos;
      if (!is_file) continue;
      EXPECT_GT(std::ranges::count(declared, option->long_name()), 0)
          << words[0] << " --" << option->long_name();
    }
  }
}

}  // namespace
}  // namespace rubric::cli
