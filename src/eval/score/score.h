// `score`: how a request becomes checked metrics and settings, a scored file and its scores, with
// metrics of either half.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "metrics/kind.h"
#include "rubric/result.h"
#include "rubric/scoring.h"

namespace rubric::eval {

// A request whose names, settings and models are checked.
struct Scoring {
  std::vector<const metrics::MetricKind*> metrics;
  metrics::RecordKind record;  // of all of them
  metrics::Settings settings;
  std::map<std::string, std::string> models;  // that are named, by metric
};

// Throws InputError as require_metrics() does, for metrics of several records, a setting or model
// that belongs to no metric, and a metric without its model. config::check_written_files() is left
// to the caller.
Scoring check_request(const ScoreRequest& request);

using Metrics = std::span<const std::unique_ptr<metrics::AnswerMetric>>;

// Reads the rows of a checked request, with a warning about empty texts, scores every row with
// every metric and, if it `writes`, writes the scored file and the summary.
std::vector<FileScore> score_rows(const ScoreRequest& request, Metrics metrics, bool writes = true);

// The same with metrics that need no model. Throws InputError where one does.
std::vector<FileScore> score_light(const ScoreRequest& request, const Scoring& scoring);

// Scores answers, with a warning about empty texts. A metric that needs a model takes one part.
std::vector<AnswerScores> score_in_memory(Metrics metrics, const AnswerSource& answers);

// The answers must outlive the source.
AnswerSource in_one_part(std::span<const Answer> answers);

// Measurements, with the metric as key: "mean" or, of a metric that has one, "corpus", with its
// interval and n; counts of rows: "correct", of which the verdict is correct; "trained" and
// "tuned", whose question the model has seen; "truncated", of which a model did not read all;
// "best_mean" and "best_no_answer_threshold". Records: "signatures", of each metric, and
// "truncated", the rows from 0. The signature has the distinct ones, one a line.
Result score_result(std::span<const FileScore> scores);

// Writes the request's summary as JSON, if it asks for one.
void write_summary(const ScoreRequest& request, std::span<const FileScore> scores);

}  // namespace rubric::eval
