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
#include "library/score_totals.h"
#include "metrics/kind.h"
#include "rubric/scoring.h"

namespace rubric::library {

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
  int64_t references_without_words_ = 0;
  std::vector<std::string> without_words_;  // records for the warning about SQuAD's normalisation
};

// Says how far scores are of questions that the metric's model has seen; nothing where of none.
void warn_of_seen(const std::string& metric, const data::SeenRows& seen, int64_t rows);

// The records with empty texts (an empty cell, for one), which are scored like any other.
class EmptyTexts {
 public:
  void note(std::span<const Answer> answers);
  void warn() const;

 private:
  std::vector<std::string> candidates_, references_;  // the ids of the records
};

}  // namespace rubric::library
