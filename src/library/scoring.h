// How a request to score becomes checked metrics and settings, a scored file and its scores: shared
// by score_file() and score_file_with_models().
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/answers/answer_file.h"
#include "metrics/kind.h"
#include "rubric/result.h"
#include "rubric/scoring.h"

namespace rubric::library {

// Throws InputError for a setting that does not exist, with the nearest, or that the metrics do not
// have, and as Settings::set() does.
metrics::Settings settings_of(std::span<const metrics::MetricKind* const> metrics,
                              const SettingValues& values);

// Throws InputError when a metric is named twice, be it by two of its names.
void require_distinct_metrics(std::span<const std::string> names);

// Throws InputError when --group and --system name one field.
void require_group_beside_system(const std::string& group, const std::string& system);

// Throws InputError for no metric, an unknown one, and one that is named twice.
std::vector<const metrics::MetricKind*> require_metrics(std::span<const std::string> names);

// "|field:id=qid,question=query", or "" without one.
std::string fields_signature(const FieldNames& fields);

// The other names of each metric, for data::RowFields.
std::map<std::string, std::vector<std::string>> other_names(std::span<const std::string> names);

// A request whose names, settings and models are checked.
struct Scoring {
  std::vector<const metrics::MetricKind*> metrics;
  metrics::RecordKind record;  // of all of them
  metrics::Settings settings;
  std::map<std::string, std::string> models;  // that are named, by metric
};

// Throws InputError as require_metrics() does, for metrics of several records, a setting or model
// that belongs to no metric, a metric without its model, and as config::check_written_files() does.
Scoring check_request(const ScoreRequest& request);

// Reads the rows of the request, with a warning about empty texts.
data::AnswerFile read_answer_file(const ScoreRequest& request);

// Scores every row with every metric and adds the scores to the file.
std::vector<FileScore> score_answers(
    std::span<const std::unique_ptr<metrics::AnswerMetric>> metrics, data::AnswerFile& file);

// Scores answers, with a warning about empty texts. A metric that needs a model takes one part.
std::vector<AnswerScores> score_in_memory(
    std::span<const std::unique_ptr<metrics::AnswerMetric>> metrics, const AnswerSource& answers);

// The answers must outlive the source.
AnswerSource in_one_part(std::span<const Answer> answers);

// Measurements, with the metric as key: "mean" or, of a metric that has one, "corpus", with its
// interval and n; counts of rows: "correct", of which the verdict is right; "trained" and "tuned",
// whose question the model has seen; "truncated", of which a model did not read all; "best_mean"
// and "best_no_answer_threshold". Records: "signatures", of each metric, and "truncated", the rows
// from 0. The signature has the distinct ones, one a line.
Result score_result(std::span<const FileScore> scores);

// Writes the request's summary as JSON, if it asks for one.
void write_summary(const ScoreRequest& request, std::span<const FileScore> scores);

}  // namespace rubric::library
