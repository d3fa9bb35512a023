// Scoring answers that may come in parts, with several metrics, and the warnings about their texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/rows/seen_rows.h"
#include "eval/resampling.h"
#include "eval/score/score_totals.h"
#include "metrics/kind.h"
#include "rubric/scoring.h"

namespace rubric::eval {

// Is told of the scores of a part by a metric, by its number.
using UseScores = std::function<void(size_t metric, const Scores& scores)>;

class AnswerSeries {
 public:
  // The metrics must outlive it.
  explicit AnswerSeries(std::span<const std::unique_ptr<metrics::AnswerMetric>> metrics);

  // Scores the next answers with each metric. With one that needs a model they must be all.
  void add(std::span<const Answer> answers, const UseScores& use);

  // Every score over all answers, metric after metric. Tells the metrics' warnings.
  std::vector<FileScore> finish();

 private:
  std::span<const std::unique_ptr<metrics::AnswerMetric>> metrics_;
  std::vector<ScoreTotals> totals_;  // of each metric
  eval::AnswerQuestions questions_;
  // The references of which little or nothing is read, for a warning.
  struct UnreadReferences {
    int64_t count = 0;
    std::vector<std::string> records = {};  // their names
    std::string example = {};
  };
  static void note(const Answer& answer, bool (*is_unread)(const std::string& reference),
                   UnreadReferences& unread);
  bool has_metric(bool metrics::MetricKind::*property) const;

  UnreadReferences without_words_, in_other_scripts_;
};

// Says how far scores are of questions that the metric's model has seen; nothing where of none.
void warn_of_seen(const std::string& metric, const data::SeenRows& seen, int64_t rows);

// The records with empty texts (an empty cell, for one), which are scored like any other.
class EmptyTexts {
 public:
  void note(std::span<const Answer> answers);
  void warn() const;

 private:
  std::vector<std::string> candidates_, references_;  // the names of the records
};

}  // namespace rubric::eval
