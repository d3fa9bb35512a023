// REV (Chen et al. 2022, section 2), LAS (Hase et al. 2020) and RQ (Wiegreffe et al. 2021): what
// each says of a rationale, and of a set of them.
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
#include "stats/bootstrap.h"

namespace rubric::eval {

// The metrics; what is by metric stands in this order.
struct RevMetric {
  const char* key;    // in JSON
  const char* title;  // in tables
};
inline constexpr std::array<RevMetric, 3> kRevMetrics = {
    {{"rev", "REV"}, {"las", "LAS"}, {"rq", "RQ"}}};
inline constexpr size_t kRev = 0, kLas = 1, kRq = 2;

using RevValues = std::array<std::optional<double>, kRevMetrics.size()>;

// By row. REV is the row's score, in nats. LAS and RQ are -1, 0 or 1: whether the simulator that
// reads question and rationale chooses the label (RQ: the gold label), less whether the one that
// reads the question does.
struct RevScores {
  std::array<std::vector<double>, kRevMetrics.size()> values;  // [metric]; empty: not scored
  std::vector<bool> leaks;  // the one that reads the rationale alone chooses the label; for LAS

  bool has(size_t metric) const { return !values[metric].empty(); }
};

// LAS wants all three simulators, RQ two and the gold label.
RevScores rev_scores(std::span<const data::ScoredRationale> rows);

// Of the rows, each as often as `counts` says: REV and RQ are means, LAS the mean of the means of
// the leaking rows and of the others. Nothing where not scored, and for LAS where either group is
// empty (the published program's is then not a number).
RevValues rev_values(const RevScores& scores, stats::Counts counts);

// Figures behind those, by name; nothing where undefined or where what they need is missing.
// Shares: "positive" (REV above 0), "right_labels" (label equals gold), "sim_x", "sim_r", "sim_xr"
// (the simulator chooses the label), "sim_x_gold", "sim_r_gold", "sim_xr_gold" (the gold label).
// Numbers of rows: "leaking", "non_leaking". LAS of each group: "las_leaking", "las_non_leaking".
using RevDetails = std::vector<std::pair<std::string, std::optional<double>>>;
RevDetails rev_details(std::span<const data::ScoredRationale> rows, const RevScores& scores);

// The files that `evaluate rev` compares.

// A kind of rationale-label pairs ("gold", "x_yr"): the same questions for each seed.
struct RevPairs {
  std::string kind;
  std::vector<std::vector<data::ScoredRationale>> seeds;
  std::vector<std::set<std::string>> left_out = {};  // by seed: ids of its file that are not common
};

// A kind and a file of it; the files of one kind are its seeds.
using RevFile = std::pair<std::string, std::filesystem::path>;

// Whether all files must have the same rows, or what they do not have in common is left out.
enum class RowsWanted { same, common };

// Kinds in the order of their first file. All files hold the same ids in the same order, each with
// the same question, choices and gold label; labels and rationales are the kind's own, and perhaps
// the seed's. The seeds of a kind have the same figures to give. Throws InputError naming ids and
// files otherwise.
std::vector<RevPairs> read_rev_pairs(std::span<const RevFile> files,
                                     RowsWanted wanted = RowsWanted::same);

// The rows of one question (or premise and hypothesis) together.
stats::Clusters rationale_questions(std::span<const data::ScoredRationale> rows);

// The rows that files of rationales have in common, where some lack rows of others.

// Takes out of each file's rows those that lack what others of the file have (take_out_gaps), then
// those whose id is not left in all files. By file: the ids taken out. Throws InputError where
// nothing is left.
std::vector<std::set<std::string>> keep_common_rows(
    std::vector<std::vector<data::ScoredRationale>>& files);

// REV's evaluation of kinds of rationale-label pairs (Chen et al. 2022, section 4.1, Figure 2).

// A value for each metric, in kRevMetrics' order.
template <class Value>
using ByRevMetric = std::array<Value, kRevMetrics.size()>;

// How many baselines were made by what: "rules", "template", "statements", or "given" where the
// row does not say. A row without a baseline does not count.
using BaselineCounts = std::map<std::string, int64_t>;

struct RevKind {
  std::string name;
  std::vector<RevScores> scores;                              // by seed
  ByRevMetric<std::vector<std::optional<double>>> by_seed;    // as rev_values
  RevValues means;                                            // nothing where a seed has none
  ByRevMetric<std::vector<std::optional<double>>> resampled;  // means over seeds and rows drawn
  ByRevMetric<std::optional<stats::Interval>> intervals;
  RevDetails details;  // means over seeds; nothing where a seed has none
  // Rows in which a later seed's label, or rationale, is not the first's.
  std::vector<bool> has_other_texts;
  std::vector<int64_t> left_out = {};  // by seed: rows of its file that are not common to all
  BaselineCounts baselines = {};       // of all seeds' rows

  bool has(size_t metric) const { return scores.front().has(metric); }
};

struct RevEvaluation {
  int64_t n = 0, questions = 0;  // rows of each file; fewer where several are of one question
  std::vector<RevKind> kinds;
  stats::BootstrapOptions bootstrap;
  std::set<std::string> left_out = {};  // ids that not all files have, or not with all figures
};

// Means over the seeds of each kind, with intervals over seeds and questions: a resample draws
// seeds, and the same questions for every seed and kind.
RevEvaluation evaluate_rev(std::span<const RevPairs> pairs, const stats::BootstrapOptions& options);

}  // namespace rubric::eval
