// MOCHA's evaluation (Chen et al. 2020, section 5): how well metrics agree with human judgements,
// per constituent, and how often they prefer the better answer of a minimal pair.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/scored_files/scored_files.h"
#include "eval/resampling.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace rubric::eval {

struct PairPredictions {
  data::Predictions better, worse;
};

// What a metric gave to the instances of a file.
struct MochaPredictions {
  std::string metric;
  data::Predictions answers;
  std::optional<PairPredictions> pairs;  // nothing: the pairs were not scored
};

using Resampled = std::vector<std::optional<double>>;  // a figure of each bootstrap resample

struct SourceResult {
  std::string name;
  stats::Correlations correlations;
  int64_t n = 0;
  Resampled resampled;  // Pearson's r
};

struct ConstituentResult {
  std::string name;
  stats::Correlations correlations;
  std::optional<stats::Interval> interval;  // of Pearson's r
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
  stats::Correlations average;  // the plain mean over constituents; undefined if one is
  std::optional<stats::Interval>
      interval;                   // of the average of Pearson's r, resampled in each constituent
  std::vector<PairResult> pairs;  // empty: there are none
  std::optional<double> pair_average;     // nothing: not scored, or there are none
  std::vector<data::InstanceKey> unused;  // of predictions for no instance of the data, each once
};

// Of the constituents named, or of all when none is: each has the figures that it has among all.
// Throws InputError when an answer has no human score, when an id without a constituent fits
// several instances, and when no prediction at all belongs to the data.
MochaResult evaluate_mocha(std::span<const data::Answer> answers,
                           std::span<const data::AnswerPair> pairs,
                           const MochaPredictions& predictions,
                           const stats::BootstrapOptions& options,
                           const std::set<std::string>& constituents = {});

// The files that the MOCHA suite is given: which go together, what they hold, and their hashes.

// Paths; "": not given.
struct MochaFiles {
  std::string data;
  std::string predictions, scores;  // one of the two
  std::string minimal_pairs;
  std::string pair_predictions,
      pair_scores;  // with minimal_pairs one of the two; pair_scores names
                    // metrics, as scores does, and goes with it alone
};

// Throws InputError, in the words of the command's options, when they do not go together.
void check_files(const MochaFiles& files);

// Every metric of the scored files, or those named in `metrics` and their order; a prediction file
// holds one, called "prediction". Pairs may be scored by some of them only. Throws InputError for a
// name that is unknown, for scored pairs of none of the metrics, and for pair
// predictions where there are several.
std::vector<MochaPredictions> read_metrics(const MochaFiles& files,
                                           const std::vector<std::string>& metrics);

// The instances of a file in MOCHA's nesting, or of one named .jsonl, .csv or .tsv with rows that
// tell their constituents. Throws InputError for a row that does not, and for an id that stands
// twice in a constituent. Of minimal pairs the same.
std::vector<data::Answer> read_mocha_instances(const std::filesystem::path& file);
std::vector<data::AnswerPair> read_mocha_minimal_pairs(const std::filesystem::path& file);

// "data:3f9a…|scores:…", each file that is given with its hash.
std::string mocha_signature(const MochaFiles& files);

// The instances of a MOCHA file by constituent, as series of numbers.

// What each record was given, in their order; nothing: missing.
using Given = std::vector<std::optional<double>>;

// Whether a constituent is among those named; all are when none is.
bool is_chosen(const std::set<std::string>& constituents, const std::string& name);

struct Series {
  std::vector<double> human, predicted;
  int64_t missing = 0;  // predictions; each counts as 0
};

// Throws InputError for an answer without a human score.
Series series_of(std::span<const data::Answer> answers, const Given& given,
                 const std::vector<size_t>& members);

std::vector<data::InstanceKey> keys_of(std::span<const data::Answer> answers);
std::vector<data::InstanceKey> keys_of(std::span<const data::AnswerPair> pairs);

}  // namespace rubric::eval
