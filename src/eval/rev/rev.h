// REV (Chen et al. 2022, section 2), LAS (Hase et al. 2020) and RQ (Wiegreffe et al. 2021) of
// rationales and sets of them: the metrics, the files that `evaluate rev` compares, and the
// evaluation of kinds of rationale-label pairs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/rationales/scored_rationales.h"
#include "eval/agreement/agreement.h"
#include "rubric/context.h"
#include "rubric/result.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// The metrics, in the order of everything that is by metric.
struct RevMetric {
  const char* key;    // of measurements
  const char* title;  // in tables
};
inline constexpr std::array<RevMetric, 3> kRevMetrics = {
    {{"rev", "REV"}, {"las", "LAS"}, {"rq", "RQ"}}};
inline constexpr size_t kRev = 0, kLas = 1, kRq = 2;

using RevValues = std::array<std::optional<double>, kRevMetrics.size()>;

// Scores by row. REV is the row's score, in nats. LAS and RQ are -1, 0 or 1: whether the simulator
// that reads question and rationale chooses the label (RQ: the gold label), minus whether the one
// that reads only the question does.
struct RevScores {
  std::array<std::vector<double>, kRevMetrics.size()> values;  // [metric]; empty: not scored
  std::vector<bool>
      leaks;  // whether the simulator that reads only the rationale chooses the label; for LAS

  bool has(size_t metric) const { return !values[metric].empty(); }
};

// LAS needs all three simulators, RQ two and the gold label.
RevScores rev_scores(std::span<const data::ScoredRationale> rows);

// Values over the rows, weighted by `counts`: REV and RQ are means, LAS the mean of the means over
// leaking and other rows. Nothing if not scored, and for LAS if either group is empty (for which
// the published program gives NaN).
RevValues rev_values(const RevScores& scores, stats::Counts counts);

// Details behind these values, by name; nothing if undefined or if their inputs are missing.
// Shares: "positive" (REV above 0), "correct_labels" (label equals gold), "sim_x", "sim_r",
// "sim_xr" (the simulator chooses the label), "sim_x_gold", "sim_r_gold", "sim_xr_gold" (the gold
// label). Numbers of rows: "leaking", "non_leaking". LAS of each group: "las_leaking",
// "las_non_leaking".
using RevDetails = std::vector<std::pair<std::string, std::optional<double>>>;
RevDetails rev_details(std::span<const data::ScoredRationale> rows, const RevScores& scores);

// Files.

// A kind of rationale-label pairs ("gold", "x_yr"), with the same questions for each seed.
struct RevPairs {
  std::string kind;
  std::vector<std::vector<data::ScoredRationale>> seeds;
  // By seed: ids of its file that not all files have.
  std::vector<std::set<std::string>> left_out = {};
};

// A kind and one of its files, which are its seeds.
using RevFile = std::pair<std::string, std::filesystem::path>;

// Whether all files must have the same rows, or only their common rows are used.
enum class RowsWanted { same, common };

// Reads the kinds, in the order of their first file. All files must hold the same ids in the same
// order, with the same question, choices and gold label; labels and rationales belong to the kind,
// and possibly the seed. The seeds of a kind must have the same metrics. Throws InputError naming
// ids and files otherwise.
std::vector<RevPairs> read_rev_pairs(std::span<const RevFile> files,
                                     RowsWanted wanted = RowsWanted::same);

// Clusters rows by question (or premise and hypothesis).
stats::Clusters rationale_questions(std::span<const data::ScoredRationale> rows);

// Common rows.

// Removes from each file the rows that lack what other rows of it have (take_out_gaps), then those
// whose id is missing from another file. Returns the removed ids by file. Throws InputError when
// nothing is left.
std::vector<std::set<std::string>> keep_common_rows(
    std::vector<std::vector<data::ScoredRationale>>& files);

// The evaluation of kinds (Chen et al. 2022, section 4.1, Figure 2).

// A value for each metric, in the order of kRevMetrics.
template <class Value>
using ByRevMetric = std::array<Value, kRevMetrics.size()>;

// The number of baselines by how they were made: "blank", "answer", "template", "statements", or
// "given" if the row does not say. Rows without a baseline do not count.
using BaselineCounts = std::map<std::string, int64_t>;

struct RevKind {
  std::string name;
  std::vector<RevScores> scores;                              // by seed
  ByRevMetric<std::vector<std::optional<double>>> by_seed;    // see rev_values()
  RevValues means;                                            // nothing if a seed lacks it
  ByRevMetric<std::vector<std::optional<double>>> resampled;  // means over the drawn seeds and rows
  ByRevMetric<std::optional<stats::Interval>> intervals;
  RevDetails details;  // means over seeds; nothing if a seed lacks the value
  // Whether a later seed's label or rationale differs from the first's, by row.
  std::vector<bool> has_other_texts;
  std::vector<int64_t> left_out = {};  // by seed: the number of its rows that are not common to all
  BaselineCounts baselines = {};       // over all seeds' rows

  bool has(size_t metric) const { return scores.front().has(metric); }
};

struct RevEvaluation {
  // Rows of each file; questions are fewer when several rows share one.
  int64_t n = 0, questions = 0;
  std::vector<RevKind> kinds;
  stats::BootstrapOptions bootstrap;
  std::set<std::string> left_out = {};  // ids that not all files have with all metrics
};

// Means over the seeds of each kind, with intervals over seeds and questions: a resample draws
// seeds, and the same questions for every seed and kind.
RevEvaluation evaluate_rev(std::span<const RevPairs> pairs, const stats::BootstrapOptions& options);

// Agreement of REV, LAS and RQ with human judgements of rationales (Chen et al. 2022, section 4.2).

// The human scores of a kind. A rationale's score is -1 unless a majority of the annotators says
// that it justifies the label (a tie is no majority), else the mean amount, 0 … 3, given by those
// who say so.
struct HumanKind {
  int64_t n = 0;  // judged rationales
  // Means over them: the score, and the share that a majority says justifies the label.
  std::optional<double> score, justified;
  std::optional<stats::Interval> interval;  // of the score
};

struct RevAgreement {
  stats::Statistics kinds;  // kSystemStatistics, of the kinds' values with their mean human scores
  // Resampling seeds and questions, ignoring resamples without a judged row of a kind.
  std::vector<std::optional<stats::Interval>> kind_intervals;
  int64_t n = 0;               // judged rationales of kinds that have the metric
  MetricAgreement rationales;  // by row, averaged over seeds
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
// differs between seeds, and when no judgement belongs to an evaluated kind.
RevHumans evaluate_rev_humans(std::span<const data::RationaleJudgement> judgements,
                              std::span<const RevPairs> pairs, const RevEvaluation& evaluation);

// Rank 1 is the largest; ties share the mean of their ranks; nothing for an undefined value.
std::vector<std::optional<double>> ranks_of(std::span<const std::optional<double>> statistics);

// The kinds' values by that metric, for kinds that humans judged; kRevMetrics.size() means the
// human scores.
std::vector<std::optional<double>> judged_values(const RevEvaluation& evaluation,
                                                 const RevHumans& humans, size_t metric);

// The result.

// docs/results_format.md has the measurements. `resampled` adds the means in each resample.
Result rev_result(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans,
                  bool resampled);

// The indices of the rows to show one by one: the first `count`, then those of `ids`, each once.
// Throws InputError for an unknown id.
std::vector<size_t> choose_rows(std::span<const data::ScoredRationale> rows, int64_t count,
                                std::span<const std::string> ids);

// All of it, from files.

struct RevRequest {
  std::vector<std::string> pairs;  // files by kind: "gold=gold.jsonl"; several of a kind are seeds
  bool common_rows = false;        // those that all files have; else all have the same
  std::string human;               // a file of judgements; "": none
  int64_t pointwise = 0;           // records so many rows of each kind,
  std::vector<std::string> show;   // and the rows of these ids
  bool resampled = false;          // adds the values of each resample
  stats::BootstrapOptions bootstrap;

  void visit_fields(auto& field) {
    field("pairs", pairs, "a file of this kind; several, and repeated")
        .named("KIND=FILE")
        .input()
        .required()
        .multitoken();
    field("common-rows", common_rows,
          "leave out, and count, the rows that not all files have or that some lack scores of");
    field("human-file", human,
          "judgements (.jsonl, .csv, .tsv), a row for each annotator: id, kind, justifies (yes, "
          "no), amount (none, little, some, enough)")
        .named("FILE")
        .input();
    field("pointwise", pointwise, "also print the first N rows of each kind")
        .range(0, 1'000'000)
        .of_records();
    field("show", show, "also print the row of this id; may be repeated").named("ID").of_records();
    field("resampled", resampled, "with --format json: also the values of each resample")
        .only_in_json();
    bootstrap.visit_fields(field);
  }
};

// Throws InputError as the functions above do, and for pairs that are not KIND=FILE.
Result evaluate_rev_files(const RevRequest& request, const Context& context = {});

}  // namespace rubric::eval
