// Scores against labels of two values: the area under the ROC curve, the best threshold, and the
// calibration of probabilities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/agreement.h"

namespace rubric::stats {

// How many positive and how many negative records have one score.
struct ScoreLevel {
  double score = 0;
  int64_t positives = 0, negatives = 0;
};

// In ascending order of the scores, which must be finite. Throws Error for series of different
// lengths. `rows`: only these.
std::vector<ScoreLevel> score_levels(std::span<const double> scores,
                                     const std::vector<bool>& is_positive);
std::vector<ScoreLevel> score_levels(std::span<const double> scores,
                                     const std::vector<bool>& is_positive,
                                     std::span<const size_t> rows);

// Below, levels are as score_levels() gives them.

bool has_both_labels(std::span<const ScoreLevel> levels);

// The area under the ROC curve: how often a positive record has a higher score than a negative one,
// where equal scores count half (Mann and Whitney 1947; scikit-learn's roc_auc_score). nullopt
// without both labels.
std::optional<double> roc_auc(std::span<const ScoreLevel> levels);

enum class ThresholdGoal { accuracy, f1 };

// Records are predicted positive whose score is at least the threshold. The one with the highest
// accuracy or F1: a middle between two neighbouring scores (as in sentence-transformers'
// BinaryClassificationEvaluator), the lowest score (all are positive) or infinity (none is). Of
// equally good ones the highest.
double best_threshold(std::span<const ScoreLevel> levels, ThresholdGoal goal);

// The first rater is the threshold, the second the label.
YesNoCounts counts_at(std::span<const ScoreLevel> levels, double threshold);

// Probability of a positive label, 1 / (1 + exp(-(slope x + intercept))) of x = (score - centre) /
// scale.
struct LogisticCurve {
  double slope = 0, intercept = 0, centre = 0, scale = 1;
  double operator()(double score) const;
};

// Platt scaling (Platt 1999): the most likely curve for targets (positives + 1) / (positives + 2)
// and 1 / (negatives + 2) in place of 1 and 0, found by Newton's method with backtracking (Lin, Lin
// and Weng 2007). Constant scores give a constant.
LogisticCurve fit_logistic_curve(std::span<const ScoreLevel> levels);

// The expected calibration error (Naeini, Cooper and Hauskrecht 2015) over bins of equal numbers of
// records (Nixon et al. 2019): the mean over records of |mean probability - share of positives| of
// their bin. `levels` are probabilities, in any order; of n records, one with k records below it
// is in bin floor(bins k / n), so equal probabilities share a bin. nullopt without records, or
// where a probability is not finite.
std::optional<double> calibration_error(std::vector<ScoreLevel> levels, int64_t bins = 10);

}  // namespace rubric::stats
