// rubric score: what it prints. The light metrics are computed here, those with a model by the
// neural half.
#include "cli/score/score.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <span>

#include <unistd.h>

#include "cli/shared/neural_half.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/terminal.h"
#include "distributed/launch.h"
#include "eval/result/render.h"
#include "eval/score/score.h"
#include "metrics/list.h"

namespace rubric::cli {
namespace {

void print_scores(std::span<const FileScore> scores, bool as_table) {
  const Result result = eval::score_result(scores);
  if (as_table && !scores.empty()) {
    std::cout << print(result, OutputFormat::text, terminal_width()) << "\n"
              << result.signature << "\n";
  } else {
    for (const FileScore& score : scores) {
      log_info(score.name + " " + eval::cell(score.value, score.interval, 4) + " over " +
               (score.is_corpus ? "the corpus of " : "") + counted(score.rows, "row") +
               (score.correct ? ", " + std::to_string(*score.correct) + " correct" : "") + "  " +
               score.signature);
    }
    for (const eval::Table& table : eval::result_tables(result, eval::kPrintedText)) {
      for (const std::string& note : table.notes) log_info(note);
    }
  }
  for (const FileScore& score : scores) {
    if (!score.best) continue;
    log_info(score.name + " " + eval::format_fixed(score.best->value, 4) +
             " at its best no-answer threshold " + Json(score.best->threshold).dump() +
             ", chosen on these questions");
  }
  if (as_table) log_info("add --output FILE for the scores of each row");
}

}  // namespace

std::map<std::string, std::string> listed_metrics() {
  return {{"metrics", join(metrics::metric_names(/*with_model=*/false))},
          {"metrics with a model", join(metrics::metric_names(/*with_model=*/true))}};
}

void score(const ScoreCommand& command, const Context&) {
  take_threads(command.threads);
  ScoreRequest request = command;
  const bool prints_table = request.output.empty() && isatty(STDOUT_FILENO) == 1;
  if (request.output.empty() && !prints_table) request.output = kStandardOutput;
  // Of several processes a failure ends all, for which they must have met.
  const ContextScope scope(current_context());  // messages name the fields of its files
  std::optional<eval::Scoring> checked;
  if (distributed::read_launch().size == 1) checked = eval::check_request(request);
  const bool is_light =
      checked && !std::ranges::any_of(checked->metrics, &metrics::MetricKind::needs_model);
  if (is_light) {
    print_scores(eval::score_light(request, *checked), prints_table);
  } else {
    print_scores(neural_half().score(request, checked), prints_table);
  }
}

}  // namespace rubric::cli
