// `score`: its options, and what it prints.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "rubric/scoring.h"

namespace rubric::cli {

// An option for each setting of a metric (metrics/list.h), and those of `score` itself.
CommandSyntax score_syntax();
int run_score(const Arguments& arguments);

inline constexpr Command kScore = {.name = "score",
                                   .summary = "scores a file of answers with one or more metrics",
                                   .syntax = score_syntax,
                                   .run = run_score,
                                   .is_neural = true,
                                   .is_step = true,
                                   .has_link = true};

struct ScoreCommand {
  ScoreRequest request;
  bool prints_table = false;  // to stdout, where that is a terminal and no output is named
};

// Returns nothing after --help. Throws InputError for what is wrong in the options, before libtorch
// is loaded for them.
std::optional<ScoreCommand> parse_score_command(const std::vector<std::string>& arguments);

// Prints each score of the file with its interval and signature to stderr, or as a table to stdout.
void print_scores(const ScoreCommand& command, std::span<const FileScore> scores);

}  // namespace rubric::cli
