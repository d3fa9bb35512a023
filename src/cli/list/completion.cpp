// rubric completion SHELL: the scripts by which bash, zsh and fish ask the program itself what may
// come next on a command line: `rubric completion line WORDS` prints a line each, and behind a tab
// what it is.
#include "cli/list/completion.h"

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/list.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rows/input_format.h"
#include "metrics/list.h"

namespace rubric::cli {
namespace {

using Offers = std::vector<std::pair<std::string, std::string>>;  // what, and what it is

Offers offered(const std::vector<std::string>& words, const std::string& before = "") {
  Offers offers;
  for (const std::string& word : words) offers.emplace_back(before + word, "");
  return offers;
}

Offers commands_of(List<Command> list) {
  Offers offers;
  for (const Command* const each : list) offers.emplace_back(each->name, each->summary);
  return offers;
}

// What may follow the words of a command, of which `current` is being written.
Offers offers_of(const Command& command, const std::vector<std::string>& words, size_t named,
                 const std::string& current) {
  CommandSyntax syntax = syntax_of(command);
  add_common_options(syntax);
  const std::string& previous = words.back();
  if (previous == "--metric" || (words.size() == named && !syntax.metrics.empty())) {
    return offered(names_of<metrics::MetricKind>(metrics::kMetrics),
                   current.substr(0, current.rfind(',') + 1));
  }
  if (previous == "--input-format") return offered(data::input_format_names());
  Offers options;
  const boost::program_options::options_description shown = shown_options(syntax);
  for (const auto& option : shown.options()) {
    const std::string& name = option->long_name();
    // Where there are no choices the shell offers files.
    if (previous == "--" + name && option->semantic()->max_tokens() > 0)
      return offered(syntax.choices[name]);
    options.emplace_back("--" + name, option->description());
  }
  return current.empty() || current.starts_with('-') ? options : Offers();
}

// `line` is what stands behind "rubric", up to the end of the word that is being written.
Offers offers_for(std::string_view line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c != ' ') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  const std::string current = std::exchange(words.back(), "");
  words.pop_back();
  const bool is_help = !words.empty() && words.front() == "help";
  if (is_help) words.erase(words.begin());
  const Command* const command = words.empty() ? nullptr : find<Command>(kCommands, words[0]);
  if (command == nullptr) {
    Offers commands = commands_of(kCommands);
    if (!is_help) commands.emplace_back("help", "explains a command");
    return commands;
  }
  if (command->subcommands.empty()) return offers_of(*command, words, 1, current);
  const Command* const subcommand =
      words.size() > 1 ? find(command->subcommands, words[1]) : nullptr;
  return subcommand == nullptr ? commands_of(command->subcommands)
                               : offers_of(*subcommand, words, 2, current);
}

// Each finds `rubric` beside the command that is written, which may be a link of its. A blank
// before the line keeps it from being an option. NAMES are rubric and its links.
constexpr const char* kScripts[] = {R"sh(_rubric() {
  local current=${COMP_WORDS[COMP_CWORD]} program
  local -a words=("${COMP_WORDS[0]##*/}" "${COMP_WORDS[@]:1:COMP_CWORD}")
  [ "${words[0]}" != rubric ] || words=("${words[@]:1}")
  program=$(type -P -- "${COMP_WORDS[0]}")
  mapfile -t COMPREPLY < <(compgen -W "$("${program%/*}/rubric" completion line " ${words[*]}" |
                                         cut -f 1)" -- "$current")
  [ ${#COMPREPLY[@]} -eq 0 ] || return
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -F _rubric NAMES
)sh",
                                    R"sh(#compdef NAMES
_rubric() {
  local -a choices before=("${words[1]:t}" "${(@)words[2,CURRENT]}")
  [ "${before[1]}" != rubric ] || shift before
  choices=(${(f)"$("${${words[1]:c}:h}/rubric" completion line " ${(j: :)before}")"})
  choices=("${(@)choices/$'\t'/:}")
  if [[ -n $choices ]]; then _describe -t choices choice choices; else _files; fi
}
if [ "$funcstack[1]" = _rubric ]; then _rubric "$@"; else compdef _rubric NAMES; fi
)sh",
                                    R"sh(function __rubric_offers
    set -l words (commandline -opc)
    set -l program (dirname (command -s $words[1]))/rubric
    set words[1] (basename $words[1])
    test $words[1] = rubric; and set -e words[1]
    $program completion line " $words $(commandline -ct)"
end
for name in NAMES
    complete -c $name -n 'count (__rubric_offers) >/dev/null' -f -a '(__rubric_offers)'
end
)sh"};

}  // namespace

void print_completion(const CompletionRequest& request, const Context&) {
  if (request.shell == Shell::line) {
    for (auto& [word, help] : offers_for(request.line)) {
      replace_all(help, "\n", " ");
      std::cout << word << (help.empty() ? "" : "\t") << help << "\n";
    }
    return;
  }
  std::string script = kScripts[static_cast<size_t>(request.shell)], names = "rubric";
  for (const Command* const command : kCommands) {
    if (command->has_link) names += " " + std::string(command->name);
  }
  replace_all(script, "NAMES", names);
  std::cout << script;
}

}  // namespace rubric::cli
