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

// What a metric has. Measurements hold the value of each resample of Pearson's r, by constituent
// and source, and of the accuracy on minimal pairs.
struct MochaResult {
  std::string metric;
  std::vector<Measurement> measurements;
  // A sentence each on missing predictions (how they count, and where), minimal pairs that are not
  // scored, constituents whose correlation is undefined, and scores that belong to no instance.
  std::vector<std::string> notes;
  std::vector<std::string> with_sources;  // constituents that have several
};

// Evaluates the named constituents, or all for an empty set; a constituent's values do not depend
// on the others. A missing prediction counts as 0, a pair without one as incorrect, a tie as half.
// The average is the unweighted mean over constituents, undefined if one is; its interval resamples
// within each. Throws InputError when an answer has no human score, when an id without a
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

// Tests.

// Every two metrics in each constituent, or in the named ones: Williams' test of Pearson's r (a
// missing prediction counts as 0), and, among metrics that scored the minimal pairs, McNemar's
// exact test of the pairs ordered correctly (a tie or a missing prediction is incorrect):
// "difference" with its p, and "test_statistic". Then, of the annotators' own judgements of a
// constituent's instances (metadata.scores), "krippendorff_alpha" (interval scale) of those with at
// least two.
std::vector<Measurement> test_mocha(std::span<const data::Answer> answers,
                                    std::span<const data::AnswerPair> pairs,
                                    std::span<const MochaPredictions> metrics,
                                    const std::set<std::string>& constituents);

// Adds the tests, Holm-corrected over all constituents, with their tables, whose notes name each
// constituent's best metric.
void add_tests(const std::vector<Measurement>& tests, Result& result);

// docs/results_format.md has the measurements. `resampled` adds the values of each resample.
Result mocha_result(std::span<const MochaResult> metrics, const std::vector<Measurement>& tests,
                    bool resampled);

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
