// Agreement of REV, LAS and RQ with human judgements of rationales (Chen et al. 2022, section 4.2).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/rationales/scored_rationales.h"
#include "eval/agreement/suite.h"
#include "eval/rev/suite.h"

namespace rubric::eval {

// The human scores of a kind. A rationale's score is -1 unless a majority of the annotators says
// that it justifies the label (a tie is no majority), else the mean amount, 0 … 3, given by those
// who say so.
struct HumanKind {
  int64_t n = 0;  // judged rationales
  // Means over them: of the score, and of whether a majority says so.
  std::optional<double> score, justified;
  std::optional<stats::Interval> interval;  // of the score
};

struct RevAgreement {
  SystemAgreement kinds;          // of the kinds' values with their mean human scores
  SystemInterval kind_intervals;  // resampling seeds and questions, ignoring resamples without a
                                  // judged row of a kind
  int64_t n = 0;                  // judged rationales of kinds that have the metric
  MetricAgreement rationales;     // by row, averaged over seeds
};

struct RevHumans {
  std::vector<HumanKind> kinds;  // in the evaluation's order
  ByRevMetric<RevAgreement> metrics;
  int64_t ties = 0;          // rationales with as many yes as no votes
  int64_t other_kinds = 0;   // judgements of kinds that are not evaluated, which are ignored
  int64_t left_out = 0;      // judgements of rows that are left out, which are ignored too
  bool is_same_rows = true;  // whether the same ids are judged for every kind
};

// Throws InputError for a judgement of an unknown id, for one of a row whose label or rationale
// differs between seeds, and when none is of an evaluated kind.
RevHumans evaluate_rev_humans(std::span<const data::RationaleJudgement> judgements,
                              std::span<const RevPairs> pairs, const RevEvaluation& evaluation);

// Rank 1 is the largest; ties share the mean of their ranks; nothing for an undefined value.
std::vector<std::optional<double>> ranks_of(std::span<const std::optional<double>> statistics);

// The kinds' values by that metric, for kinds that humans judged; kRevMetrics.size() means the
// human scores.
std::vector<std::optional<double>> judged_values(const RevEvaluation& evaluation,
                                                 const RevHumans& humans, size_t metric);

}  // namespace rubric::eval
