// `score`.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cli/command.h"
#include "cli/shared/requests.h"
#include "rubric/scoring.h"

namespace rubric::cli {

struct ScoreCommand : ScoreRequest {
  int64_t threads = 0;

  void visit_fields(auto& field) {
    ScoreRequest::visit_fields(field);
    visit_threads(field, threads);
  }
};

// The names of metrics, for the text of --help.
std::map<std::string, std::string> listed_metrics();

// Scores, and prints each score of the file with its interval and signature to stderr, or as a
// table to stdout.
void score(const ScoreCommand& command, const Context& context);

inline constexpr Command kScore = {.name = "score",
                                   .summary = "scores a file of answers with one or more metrics",
                                   .make_call = config::make_call<ScoreCommand, score>,
                                   .listed = listed_metrics,
                                   .is_neural = true,
                                   .has_ranks = true,
                                   .is_step = true,
                                   .has_link = true};

}  // namespace rubric::cli
