#include "cli/list/command_lines.h"

#include "cli/list.h"
#include "core/error.h"

namespace rubric::cli {
namespace {

CommandLine command_line(const Command& command, std::vector<std::string> words) {
  CommandSyntax syntax = command.subcommands.empty() ? syntax_of(command) : CommandSyntax();
  if (command.subcommands.empty()) add_common_options(syntax);
  return {&command, std::move(words), shown_options(syntax)};
}

}  // namespace

std::string CommandLine::name() const {
  return join(words, " ");
}

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  return names;
}

std::vector<CommandLine> command_lines() {
  std::vector<CommandLine> lines;
  for (const Command* const command : kCommands) {
    const std::string name(command->name);
    for (const Command* const subcommand : command->subcommands) {
      lines.push_back(command_line(*subcommand, {name, std::string(subcommand->name)}));
    }
    lines.push_back(command_line(*command, {name}));
  }
  return lines;
}

}  // namespace rubric::cli
