// A light metric alone, without reading and writing: metric_bench METRIC ROWS_FILE scores the rows
// and prints {"seconds", "rows"}.

#include <chrono>
#include <cstdio>
#include <exception>

#include "data/answer_file.h"
#include "metrics/light_metrics.h"

namespace {

using namespace rubric;

void measure(const char* metric_name, const char* file) {
  const AnswerFile answers(file, InputFormat::jsonl, {});
  const auto metric = make_light_metric(metric_name);
  const auto start = std::chrono::steady_clock::now();
  const Scores scores = metric->score(answers.records());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("{\"seconds\": %.6f, \"rows\": %zu}\n", seconds.count(), scores.rows.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: metric_bench METRIC ROWS_FILE\n");
    return 2;
  }
  try {
    measure(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
