// rubric completion SHELL: the scripts that complete commands, their parts and options, and the
// names of metrics. All are made from the lists of commands and of metrics.
#include "cli/list/completion.h"

#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/list.h"
#include "cli/list/command_lines.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "data/rows/input_format.h"
#include "metrics/list.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kHelpSummary = "explains a command";

// The text within single quotes, which all three shells read alike but for a quote.
std::string quoted(const std::string& text, const char* quote) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += quote;
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result + "'";
}

std::string metric_names() {
  return join(names_of<metrics::MetricKind>(metrics::kMetrics), " ");
}

std::string linked_commands() {
  std::string links;
  for (const Command* const command : kCommands) {
    if (command->has_link) links += " " + std::string(command->name);
  }
  return links;
}

// The commands whose first argument is metrics.
std::vector<std::string> metric_commands() {
  std::vector<std::string> names;
  for (const CommandLine& line : command_lines()) {
    const bool has_metrics =
        line.command->parts.empty() && !syntax_of(*line.command).metrics.empty();
    if (has_metrics) names.push_back(line.name());
  }
  return names;
}

// Of all commands; behind one a file's name is offered.
std::vector<std::string> options_with_values() {
  std::set<std::string> names;
  for (const CommandLine& line : command_lines()) {
    for (const auto& option : line.options.options()) {
      if (option->semantic()->max_tokens() > 0) names.insert("--" + option->long_name());
    }
  }
  return {names.begin(), names.end()};
}

// For bash: the values between which options choose, in whichever command.
std::string choices_of_options() {
  std::map<std::string, std::set<std::string>> choices;
  for (const CommandLine& line : command_lines()) {
    for (const auto& [name, values] : line.choices)
      choices[name].insert(values.begin(), values.end());
  }
  std::string cases;
  for (const auto& [name, values] : choices) {
    cases += "    --" + name + ") words=\"" + join({values.begin(), values.end()}, " ") + "\" ;;\n";
  }
  return cases;
}

// Whether the user writes metrics here: behind such a command, or behind --metric. For bash and
// zsh, where $line holds the words before the one that is being written.
std::string is_at_metric() {
  std::string test = "[ \"$previous\" = --metric ]";
  for (const std::string& name : metric_commands()) {
    test += " || [ \"$line\" = \"" + name + " \" ]";
  }
  return test;
}

// "name:help" of a command's parts, or of its options, for zsh.
std::string zsh_choice(const std::string& name, const std::string& help) {
  std::string escaped;
  for (const char c : name) escaped += c == ':' ? "\\:" : std::string(1, c);
  return " " + quoted(escaped + ":" + help, R"('\'')");
}

std::string fish_line(const std::string& condition, const std::string& rest) {
  return "complete -c rubric -n '" + condition + "' " + rest + "\n";
}

std::string fish_option(const CommandLine& line, const po::option_description& option) {
  const std::string& name = option.long_name();
  const std::string letter = short_name(option);
  std::string rest = "-l " + name;
  if (!letter.empty()) rest += " -s " + letter;
  if (name == "metric") {
    rest += " -x -a '(__fish_complete_list , __rubric_metrics)'";
  } else if (option.semantic()->max_tokens() > 0) {
    rest += " -r";
  }
  return fish_line("__rubric_at " + line.name(),
                   rest + " -d " + quoted(option.description(), R"(\')"));
}

}  // namespace

std::string bash_completion() {
  std::string cases;
  for (const CommandLine& line : command_lines()) {
    const std::string words = line.command->parts.empty()
                                  ? join(line.option_names(), " ")
                                  : join(names_of(line.command->parts), " ");
    cases += "    \"" + line.name() + " \"*) words=\"" + words + "\" ;;\n";
  }
  // A blank ends $line, so that a pattern matches whole words. The names of files get a slash
  // behind a folder's, which other words must not get.
  return "_rubric() {\n"
         "  local words prefix= current=${COMP_WORDS[COMP_CWORD]}\n"
         "  local previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local -a before=(\"${COMP_WORDS[0]##*/}\" \"${COMP_WORDS[@]:1:COMP_CWORD - 1}\")\n"
         "  [ \"${before[0]}\" != rubric ] || before=(\"${before[@]:1}\")\n"
         "  local line=\"${before[*]} \"\n"
         "  case ${line#help } in\n" +
         cases + "    *) words=\"" + join(names_of<Command>(kCommands), " ") +
         "\" ;;\n"
         "  esac\n"
         "  [ ${#before[@]} -gt 0 ] || words+=\" help\"\n"
         "  case $previous in\n"
         "    --input-format) words=\"" +
         join(data::input_format_names(), " ") + "\" ;;\n" + choices_of_options() + "    " +
         join(options_with_values(), "|") +
         ") words= ;;\n"
         "  esac\n"
         "  if " +
         is_at_metric() +
         "; then\n"
         "    words=\"" +
         metric_names() +
         "\"\n"
         "    case $current in *,*) prefix=${current%,*}, current=${current##*,} ;; esac\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -P \"$prefix\" -- \"$current\")\n"
         "  [ ${#COMPREPLY[@]} -eq 0 ] || return\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
         "}\n"
         "complete -F _rubric rubric" +
         linked_commands() + "\n";
}

namespace {

std::string zsh_completion() {
  std::string cases;
  for (const CommandLine& line : command_lines()) {
    std::string choices;
    for (const Command* const part : line.command->parts) {
      choices += zsh_choice(std::string(part->name), std::string(part->summary));
    }
    for (const auto& option : line.options.options()) {
      choices += zsh_choice("--" + option->long_name(), option->description());
    }
    cases += "    \"" + line.name() + " \"*) choices=(" + choices + ") ;;\n";
  }
  std::string commands;
  for (const Command* const command : kCommands) {
    commands += zsh_choice(std::string(command->name), std::string(command->summary));
  }
  const std::string names = "rubric" + linked_commands();
  return "#compdef " + names +
         "\n"
         "_rubric() {\n"
         "  local current=${words[CURRENT]} previous=${words[CURRENT-1]}\n"
         "  local -a choices before=(\"${words[1]:t}\" \"${(@)words[2,CURRENT-1]}\")\n"
         "  [ \"${before[1]}\" != rubric ] || shift before\n"
         "  local line=\"${(j: :)before} \"\n"
         "  case ${line#help } in\n" +
         cases + "    *) choices=(" + commands +
         ") ;;\n"
         "  esac\n"
         "  [ $#before -gt 0 ] || choices+=(" +
         zsh_choice("help", kHelpSummary) +
         ")\n"
         "  if " +
         is_at_metric() +
         "; then\n"
         "    _values -s , metric " +
         metric_names() +
         "\n"
         "  elif [[ $choices[1] != --* || $current == -* ]]; then\n"
         "    _describe -t choices choice choices\n"
         "  else\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _rubric ]; then _rubric \"$@\"; else compdef _rubric " +
         names + "; fi\n";
}

std::string fish_completion() {
  std::string script =
      "function __rubric_words\n"
      "    set -l words (commandline -opc)\n"
      "    set -e words[1]\n"
      "    test \"$words[1]\" = help; and set -e words[1]\n"
      "    printf '%s\\n' $words\n"
      "end\n"
      "function __rubric_is\n"
      "    set -l words (__rubric_words)\n"
      "    test \"$words\" = \"$argv\"\n"
      "end\n"
      "function __rubric_at\n"
      "    set -l words (__rubric_words)\n"
      "    set -l count (count $argv)\n"
      "    test \"$words[1..$count]\" = \"$argv\"\n"
      "end\n"
      "function __rubric_metrics\n"
      "    printf '%s\\n' " +
      metric_names() + "\nend\n";
  for (const Command* const command : kCommands) {
    script += fish_line("__rubric_is", "-f -a " + std::string(command->name) + " -d " +
                                           quoted(std::string(command->summary), R"(\')"));
  }
  script += fish_line("test (count (commandline -opc)) -eq 1",
                      std::string("-f -a help -d ") + quoted(kHelpSummary, R"(\')"));
  for (const std::string& name : metric_commands()) {
    script += fish_line("__rubric_is " + name, "-f -a '(__fish_complete_list , __rubric_metrics)'");
  }
  for (const CommandLine& line : command_lines()) {
    for (const Command* const part : line.command->parts) {
      script +=
          fish_line("__rubric_is " + line.name(), "-f -a " + std::string(part->name) + " -d " +
                                                      quoted(std::string(part->summary), R"(\')"));
    }
    for (const auto& option : line.options.options()) script += fish_option(line, *option);
  }
  for (const Command* const command : kCommands) {
    const std::string name(command->name);
    if (command->has_link) script += "complete -c " + name + " --wraps 'rubric " + name + "'\n";
  }
  return script;
}

}  // namespace

void print_completion(const CompletionRequest& request, const Context&) {
  constexpr std::string (*kScripts[])() = {bash_completion, zsh_completion, fish_completion};
  std::cout << kScripts[static_cast<size_t>(request.shell)]();
}

}  // namespace rubric::cli
