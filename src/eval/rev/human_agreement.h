// Whether REV, LAS and RQ agree with human judgements of rationales (Chen et al. 2022, section
// 4.2).
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

// -1 where no majority of the annotators says that the rationale justifies the label (a tie is no
// majority), else the mean amount, 0 … 3, that those who say so give it.
struct HumanKind {
  int64_t n = 0;                            // judged rationales
  std::optional<double> score, justified;   // means over them: the score, and whether a majority
  std::optional<stats::Interval> interval;  // of the score
};

struct RevAgreement {
  SystemAgreement kinds;          // of the kinds' figures with their mean human scores
  SystemInterval kind_intervals;  // seeds and questions resampled, without those that have no
                                  // judged row of a kind
  int64_t n = 0;                  // judged rationales of kinds that have the metric
  MetricAgreement rationales;     // over these, by row; the mean over seeds
};

struct RevHumans {
  std::vector<HumanKind> kinds;  // in the order of the evaluation's
  ByRevMetric<RevAgreement> metrics;
  int64_t ties = 0;          // rationales for which as many annotators say yes as no
  int64_t other_kinds = 0;   // judgements of kinds that are not evaluated, which do not count
  int64_t left_out = 0;      // judgements of rows that are left out, which do not count either
  bool is_same_rows = true;  // the same ids are judged of every kind
};

// Throws InputError for a judgement of an id that no file has, for one of a row whose label or
// rationale is not the same in all seeds, and when none is of a kind that is evaluated.
RevHumans evaluate_rev_humans(std::span<const data::RationaleJudgement> judgements,
                              std::span<const RevPairs> pairs, const RevEvaluation& evaluation);

// 1 for the largest; equal figures share the mean of their ranks. Nothing where there is no figure.
std::vector<std::optional<double>> ranks_of(std::span<const std::optional<double>> figures);

// The kinds' figures by that metric, where humans judged the kind; by humans themselves for
// kRevMetrics.size().
std::vector<std::optional<double>> judged_values(const RevEvaluation& evaluation,
                                                 const RevHumans& humans, size_t metric);

}  // namespace rubric::eval
