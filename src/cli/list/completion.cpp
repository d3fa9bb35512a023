// rubric completion SHELL: prints what completes commands, options and metrics.
#include "cli/list/completion.h"

#include <array>
#include <iostream>

#include "cli/list/completion_scripts.h"
#include "cli/shared/options.h"
#include "core/error.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

constexpr std::array<std::pair<const char*, std::string (*)()>, 3> kShells = {
    {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};

}  // namespace

CommandSyntax completion_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric completion bash|zsh|fish\n\n"
      "Prints a script with which the shell completes commands, options and the names of metrics.\n"
      "`cmake --install` puts it where the shells of the system look.";
  syntax.options.add_options()("shell", po::value<std::string>()->required(), "the shell");
  syntax.positional.add("shell", 1);
  return syntax;
}

int run_completion(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(completion_syntax(), arguments);
  if (!values) return kDone;
  const std::string shell = text_option(*values, "shell");
  std::vector<std::string> names;
  for (const auto& [name, script] : kShells) {
    names.emplace_back(name);
    if (shell != name) continue;
    std::cout << script();
    return kDone;
  }
  throw unknown_name("shell", shell, names);
}

}  // namespace rubric::cli
