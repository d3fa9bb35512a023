// MOCHA's evaluation (Chen et al. 2020, section 5): how well metrics agree with human judgements,
// per constituent, and how often they prefer the better answer of a minimal pair.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/scored_files/predictions.h"
#include "data/records.h"
#include "stats/bootstrap_part.h"
#include "stats/correlation.h"

namespace rubric {

struct PairPredictions {
  Predictions better, worse;
};

// What a metric gave to the instances of a file.
struct MochaPredictions {
  std::string metric;
  Predictions answers;
  std::optional<PairPredictions> pairs;  // nothing: the pairs were not scored
};

using Resampled = std::vector<std::optional<double>>;  // a figure of each bootstrap resample

struct SourceResult {
  std::string name;
  Correlations correlations;
  int64_t n = 0;
  Resampled resampled;  // Pearson's r
};

struct ConstituentResult {
  std::string name;
  Correlations correlations;
  std::optional<Interval> interval;  // of Pearson's r
  int64_t n = 0;
  int64_t missing = 0;                // predictions; each counts as 0
  std::vector<SourceResult> sources;  // instances without a source are in none
  Resampled resampled;                // Pearson's r
};

struct PairResult {
  std::string name;
  std::optional<double> accuracy;  // in [0, 1], a tie is half a point; nothing: not scored
  int64_t n = 0;
  int64_t missing = 0;  // of the scored pairs those without a prediction; each counts as wrong
  Resampled resampled;  // the accuracy; empty: not scored
};

struct MochaResult {
  std::string metric, signature;
  std::vector<ConstituentResult> constituents;  // in file order
  Correlations average;              // the plain mean over constituents; undefined if one is
  std::optional<Interval> interval;  // of the average of Pearson's r, resampled in each constituent
  std::vector<PairResult> pairs;     // empty: there are none
  std::optional<double> pair_average;  // nothing: not scored, or there are none
  std::vector<InstanceKey> unused;     // of predictions for no instance of the data, each once
};

// Of the constituents named, or of all when none is: each has the figures that it has among all.
// Throws InputError when an answer has no human score, when an id without a constituent fits
// several instances, and when no prediction at all belongs to the data.
MochaResult evaluate_mocha(std::span<const Answer> answers, std::span<const AnswerPair> pairs,
                           const MochaPredictions& predictions, const BootstrapOptions& options,
                           const std::set<std::string>& constituents = {});

}  // namespace rubric
