// Whether systems differ in the mean of one metric over the same records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/scored_rows.h"
#include "eval/table.h"
#include "stats/bootstrap.h"

namespace rubric {

struct SystemScores {
  std::string name, file;  // the second for messages
  ScoredRows rows;         // of one metric
};

struct SystemMean {
  double mean = 0;
  std::optional<Interval> interval;
};

struct Comparison {
  size_t first = 0, second = 0;      // systems
  double difference = 0;             // the mean of the first less that of the second
  std::optional<Interval> interval;  // questions resampled, in pairs
  // Two-sided, with Holm's correction over all comparisons. Of the bootstrap (Koehn 2004, centred
  // as sacreBLEU does it): how often a resampled difference is at least as far from the difference
  // as that is from 0. Of the permutation test: how often it is as large when systems exchange
  // the records of questions.
  double bootstrap_p = 1, bootstrap_corrected = 1;
  double permutation_p = 1, permutation_corrected = 1;
};

struct SystemComparison {
  std::string metric, signature;
  int64_t n = 0, questions = 0;  // records; fewer where several are of one question
  int64_t resamples = 0;         // exchanges, too
  std::vector<std::string> systems;
  std::vector<SystemMean> means;
  std::vector<Comparison> comparisons;  // of every two
};

// Records are matched by id (and "constituent", where rows have one); which are of one question
// (questions_of) the first file says. Throws InputError naming ids
// that are not in every file.
SystemComparison compare_systems(const std::vector<SystemScores>& systems,
                                 const BootstrapOptions& options);

// To be read: means, then comparisons.
std::vector<Table> comparison_tables(const SystemComparison& comparison);

// A figure a row: system, figure ("mean", "difference"), other, value, the ends of its 95%
// interval, p_bootstrap, p_bootstrap_holm, p_permutation, p_permutation_holm, n.
Table comparison_figures(const SystemComparison& comparison);

// {"metric", "n", "questions", "systems": {NAME: {"mean", "ci95"}}, "comparisons": [{"first",
// "second", "difference", "ci95", "p_bootstrap", "p_bootstrap_holm", "p_permutation",
// "p_permutation_holm"}], "signature"}.
Json to_json(const SystemComparison& comparison);

}  // namespace rubric
