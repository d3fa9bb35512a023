// The MOCHA suite (Chen et al. 2020, section 5): how well metrics agree with human judgements in
// each constituent (a source data set of MOCHA), and how often they prefer the better answer of a
// minimal pair. Reading its files, the evaluation, the tests between metrics, and the output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/resampling.h"
#include "rubric/context.h"
#include "rubric/result.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace rubric::eval {

struct PairPredictions {
  data::Predictions better, worse;
};

// A metric's predictions for the instances of a file.
struct MochaPredictions {
  std::string metric;
  data::Predictions answers;
  std::optional<PairPredictions> pairs;  // nothing if the pairs were not scored
};

using Resampled = std::vector<std::optional<double>>;  // a value in each bootstrap resample

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
  int64_t missing = 0;                // missing predictions; each counts as 0
  std::vector<SourceResult> sources;  // instances without a source are left out
  Resampled resampled;                // Pearson's r
};

struct PairResult {
  std::string name;
  std::optional<double> accuracy;  // in [0, 1]; a tie counts half; nothing if not scored
  int64_t n = 0;
  int64_t missing = 0;  // scored pairs without a prediction; each counts as incorrect
  Resampled resampled;  // the accuracy; empty if not scored
};

struct MochaResult {
  std::string metric;
  std::vector<ConstituentResult> constituents;  // in file order
  stats::Correlations average;  // the unweighted mean over constituents; undefined if one is
  std::optional<stats::Interval>
      interval;                        // of the average Pearson's r, resampling in each constituent
  std::vector<PairResult> pairs;       // empty if there are no pairs
  std::optional<double> pair_average;  // nothing if not scored or without pairs
  std::vector<data::InstanceKey>
      unused;  // keys of predictions for no instance of the data, each once
};

// Evaluates the named constituents, or all for an empty set; a constituent's values do not depend
// on the others. Throws InputError when an answer has no human score, when an id without a
// constituent matches several instances, and when no prediction belongs to the data.
MochaResult evaluate_mocha(std::span<const data::Answer> answers,
                           std::span<const data::AnswerPair> pairs,
                           const MochaPredictions& predictions,
                           const stats::BootstrapOptions& options,
                           const std::set<std::string>& constituents = {});

// Files.

// Paths; "" if not given.
struct MochaFiles {
  std::string data;
  std::string predictions, scores;  // one of the two
  std::string minimal_pairs;
  // With minimal_pairs one of the two; pair_scores names metrics, as scores does, and requires it.
  std::string pair_predictions, pair_scores;
};

// Throws InputError, in terms of the command's options, for an invalid combination.
void check_files(const MochaFiles& files);

// Reads every metric of the scored files, or those named in `metrics`, in their order; a prediction
// file holds one, called "prediction". Some metrics may lack scores for the pairs. Throws
// InputError for an unknown name, for pair scores without one of the metrics, and for pair
// predictions with several metrics.
std::vector<MochaPredictions> read_metrics(const MochaFiles& files,
                                           const std::vector<std::string>& metrics);

// Reads instances in MOCHA's nested JSON, or from rows (.jsonl, .csv or .tsv) that name their
// constituent. Throws InputError for a row that does not, and for an id that occurs twice in a
// constituent. The same for minimal pairs.
std::vector<data::Answer> read_mocha_instances(const std::filesystem::path& file);
std::vector<data::AnswerPair> read_mocha_minimal_pairs(const std::filesystem::path& file);

// "data:3f9a…|scores:…": each given file with its hash.
std::string mocha_signature(const MochaFiles& files);

// Series.

// The prediction for each record, in order; nothing if missing.
using Given = std::vector<std::optional<double>>;

// Whether a constituent is among those named, or the set is empty (all are chosen).
bool is_chosen(const std::set<std::string>& constituents, const std::string& name);

struct Series {
  std::vector<double> human, predicted;
  int64_t missing = 0;  // missing predictions; each counts as 0
};

// Throws InputError for an answer without a human score.
Series series_of(std::span<const data::Answer> answers, const Given& given,
                 const std::vector<size_t>& members);

std::vector<data::InstanceKey> keys_of(std::span<const data::Answer> answers);
std::vector<data::InstanceKey> keys_of(std::span<const data::AnswerPair> pairs);

// For the MOCHA suite: the annotators' agreement (Krippendorff's alpha), and tests of whether
// metrics differ.

// Agreement of the annotators' own judgements of one constituent's instances (metadata.scores).
struct AnnotatorAgreement {
  std::string constituent;
  std::optional<double> alpha;  // Krippendorff's, interval scale; nothing if undefined
  int64_t n = 0;                // instances with at least two judgements
};

struct MochaTests {
  std::vector<std::string> metrics;
  std::vector<AnnotatorAgreement> annotators;  // for constituents with such judgements
  // Every two metrics in each constituent: Williams' test of Pearson's r (a missing prediction
  // counts as 0), and, among metrics that scored the minimal pairs, McNemar's exact test of the
  // pairs ordered correctly (a tie or a missing prediction is incorrect).
  std::vector<MetricTest> correlations, pairs;
};

// For the named constituents, or for all for an empty set.
MochaTests test_mocha(std::span<const data::Answer> answers,
                      std::span<const data::AnswerPair> pairs,
                      std::span<const MochaPredictions> metrics,
                      const std::set<std::string>& constituents);

// Adds the tests, Holm-corrected over all constituents, and the annotators' agreement to the result
// of the metrics. Notes of their tables name each constituent's best metric.
void add_tests(const MochaTests& tests, Result& result);

// Notes.

// One sentence each on: missing predictions (how they count, and where), minimal pairs that the
// metric did not score, constituents whose correlation is undefined, and scores that belong to no
// instance.
std::vector<std::string> mocha_notes(const MochaResult& result);

// docs/results_format.md has the measurements. `resampled` adds the values of each resample.
Result mocha_result(std::span<const MochaResult> metrics, const MochaTests& tests, bool resampled);

// All of it, from files.

struct MochaRequest {
  MochaFiles files;
  std::vector<std::string> metrics, constituents;  // empty: all
  stats::BootstrapOptions bootstrap;
  bool resampled = false;  // adds the values of each resample

  void visit_fields(auto& field) {
    field("data", files.data,
          "instances with human scores, in MOCHA's format or as rows (.jsonl, .csv, .tsv) with "
          "constituent, id, reference, candidate and score")
        .named("FILE")
        .input()
        .required();
    field("predictions", files.predictions,
          "{constituent: {id: {\"pred_score\": x}}}, or rows with constituent, id and pred_score")
        .named("FILE")
        .input();
    field("scores", files.scores, "a file scored by `rubric score`").named("FILE").input();
    field("metric", metrics,
          "a metric of the scored file, or several: a,b; may be repeated; all when left out")
        .names();
    field("minimal-pairs", files.minimal_pairs,
          "minimal pairs, in MOCHA's format or as rows with candidate1, the better, and candidate2")
        .named("FILE")
        .input();
    field("pair-predictions", files.pair_predictions,
          "{constituent: {id: {\"pred_score1\": x, \"pred_score2\": y}}}, or rows with these")
        .named("FILE")
        .input();
    field("pair-scores", files.pair_scores,
          "the pairs, scored: \"scores1\" and \"scores2\" for each")
        .named("FILE")
        .input();
    field("constituent", constituents,
          "evaluate only this constituent, or several: a,b; may be repeated; all when left out")
        .names();
    field("resampled", resampled, "with --format json: also the values of each resample")
        .only_in_json();
    bootstrap.visit_fields(field);
  }
};

// Throws InputError as the functions above do, and for a constituent that the data lack.
Result evaluate_mocha_files(const MochaRequest& request, const Context& context = {});

}  // namespace rubric::eval
