// Whether systems differ in the mean of one metric over the same records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/compare/compare.h"
#include "eval/report/table.h"
#include "stats/bootstrap_part.h"

namespace rubric {

struct SystemMean {
  double mean = 0;
  std::optional<Interval> interval;
};

struct Comparison {
  size_t first = 0, second = 0;      // systems
  double difference = 0;             // the mean of the first less that of the second
  std::optional<Interval> interval;  // questions resampled, in pairs
  // Two-sided, with Holm's correction over all comparisons of all groups. Of the bootstrap (Koehn
  // 2004, centred on the observed difference): how often a resampled difference is at least as far
  // from the difference as that is from 0. Of the permutation test: how often it is as large when
  // systems exchange records.
  double bootstrap_p = 1, bootstrap_corrected = 1;
  double permutation_p = 1, permutation_corrected = 1;
};

struct GroupComparison {
  std::string name;              // "": all records
  int64_t n = 0, questions = 0;  // records; fewer where several are of one question
  std::vector<SystemMean> means;
  std::vector<Comparison> comparisons;  // of every two
};

struct SystemComparison {
  std::string metric, signature;
  std::vector<std::string> systems;
  int64_t resamples = 0;                // exchanges, too
  std::vector<GroupComparison> groups;  // all records, then by group where records have one
  std::string note;                     // of records that are left out; "": none
};

// Of systems with the same records, two systems or more; which records are of one question the
// first says.
SystemComparison compare_systems(const std::vector<SystemScores>& systems,
                                 const BootstrapOptions& options);

// To be read: means, then comparisons, each over all records and by group.
std::vector<Table> comparison_tables(const SystemComparison& comparison);

// A figure a row: system, figure ("mean", "difference"), group ("": all records), other, value, the
// ends of its 95% interval, p_bootstrap, p_bootstrap_holm, p_permutation, p_permutation_holm, n.
Table comparison_figures(const SystemComparison& comparison);

// {"metric", "n", "questions", "systems": {NAME: {"mean", "ci95"}}, "comparisons": [{"first",
// "second", "difference", "ci95", "p_bootstrap", "p_bootstrap_holm", "p_permutation",
// "p_permutation_holm"}], "groups": {NAME: {"n", "questions", "systems", "comparisons"}},
// "signature", "note"}; the last three where there are any.
Json to_json(const SystemComparison& comparison);

}  // namespace rubric
