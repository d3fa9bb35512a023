// `completion`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

enum class Shell { bash, zsh, fish };

struct CompletionRequest {
  Shell shell = Shell::bash;

  void visit_fields(auto& field) {
    field("shell", shell, "the shell").choices({"bash", "zsh", "fish"}).positional().required();
  }
};
void print_completion(const CompletionRequest& request, const Context& context);

inline constexpr Command kCompletion = {
    .name = "completion",
    .summary = "what completes commands, options and metrics in bash, zsh or fish",
    .make_call = config::make_call<CompletionRequest, print_completion>};

}  // namespace rubric::cli
