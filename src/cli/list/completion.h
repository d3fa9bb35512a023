// `completion`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

enum class Shell { bash, zsh, fish, line };  // line: asked by their scripts

struct CompletionRequest {
  Shell shell = Shell::bash;
  std::string line;

  void visit_fields(auto& field) {
    field("shell", shell, "the shell; line: what may come next, which their scripts ask")
        .choices({"bash", "zsh", "fish", "line"})
        .positional()
        .required();
    field("line", line, "what stands behind rubric, up to the word that is written").positional();
  }
};
void print_completion(const CompletionRequest& request, const Context& context);

inline constexpr Command kCompletion = {
    .name = "completion",
    .summary = "what completes commands, options and metrics in bash, zsh or fish",
    .make_call = config::make_call<CompletionRequest, print_completion>};

}  // namespace rubric::cli
