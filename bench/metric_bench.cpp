// A light metric alone, without reading and writing: metric_bench METRIC ROWS_FILE scores the rows,
// metric_bench r4c GOLD PREDICTIONS the derivations. Prints {"seconds", "rows"}.

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>

#include "core/context.h"
#include "core/files/shipped_files.h"
#include "data/answers/answer_file.h"
#include "eval/r4c/r4c.h"
#include "metrics/list.h"

namespace {

using namespace rubric;

// `score` gives the number of rows.
void measure(const std::function<size_t()>& score) {
  const auto start = std::chrono::steady_clock::now();
  const size_t rows = score();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("{\"seconds\": %.6f, \"rows\": %zu}\n", seconds.count(), rows);
}

void measure_metric(const char* name, const char* file) {
  const data::AnswerFile answers(file, data::InputFormat::kJsonl, {});
  const auto metric = metrics::require_metric(name).make({});
  data::Scores scores;  // outlive the clock, as the peers' do
  measure([&] {
    scores = metric->score(answers.records());
    return scores.rows.size();
  });
}

void measure_derivations(const char* gold_file, const char* predictions_file) {
  const std::vector<data::DerivationQuestion> gold = data::read_r4c(gold_file);
  const data::R4cPredictions predictions = data::read_r4c_predictions(predictions_file);
  measure([&] { return eval::evaluate_r4c(gold, predictions, nullptr, {}).questions.size(); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: metric_bench METRIC ROWS_FILE | r4c GOLD PREDICTIONS\n");
    return 2;
  }
  try {
    set_program_context({nullptr, {}, program_resources()});  // for METEOR's data
    if (argc == 4) {
      measure_derivations(argv[2], argv[3]);
    } else {
      measure_metric(argv[1], argv[2]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
