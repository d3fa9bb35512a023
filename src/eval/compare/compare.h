// `compare`: whether systems (each a file, or a value of a field of the rows) differ in the mean of
// one metric over the same records.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "rubric/compare.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

using rubric::Comparison;
using rubric::GroupComparison;
using rubric::SystemComparison;
using rubric::SystemMean;

// Identifies a record across systems.
struct RecordKey {
  std::string group, constituent, id;  // the first two are "" if rows have none
  auto operator<=>(const RecordKey&) const = default;
};

struct ScoredRecord {
  double score = 0;  // by one metric
  QuestionKey question;
};

struct SystemScores {
  std::string name, file;          // file: for messages, if the system is a file
  std::vector<RecordKey> records;  // in file order
  std::map<RecordKey, ScoredRecord> scores;
};

// The single system of a file whose rows were read with one metric and optionally a group.
SystemScores whole_file_system(const std::string& name, const std::string& file,
                               const data::ScoredRows& rows);

// Adds the rows of a file, read with their system field, to the systems that they name, in order of
// first appearance. Throws InputError for a record that a system already has from another file.
void add_named_systems(const std::string& file, const data::ScoredRows& rows,
                       std::vector<SystemScores>& systems);

// Throws InputError naming the ids that one system has and another lacks.
void require_same_records(const std::vector<SystemScores>& systems);

// Keeps the records that every system has and returns a note on the others, "" if none. Throws
// InputError when no record is left.
std::string keep_shared_records(std::vector<SystemScores>& systems);

// Comparison.

// Compares two or more systems with the same records; the first system's records say which belong
// to one question.
SystemComparison compare_systems(const std::vector<SystemScores>& systems,
                                 const stats::BootstrapOptions& options);

// Tables to read: means, then comparisons, each over all records and by group.
std::vector<Table> comparison_tables(const SystemComparison& comparison);

// A value a row: system, figure ("mean", "difference"), group ("": all records), other, value, its
// 95% interval, p_bootstrap, p_bootstrap_holm, p_permutation, p_permutation_holm, n.
Table comparison_value_table(const SystemComparison& comparison);

// {"metric", "n", "questions", "systems": {NAME: {"mean", "ci95"}}, "comparisons": [{"first",
// "second", "difference", "ci95", "p_bootstrap", "p_bootstrap_holm", "p_permutation",
// "p_permutation_holm", "p_bootstrap_is_least", "p_permutation_is_least"}], "groups": {NAME: {"n",
// "questions", "systems", "comparisons"}}, "signature", "note"}; the last three where there are
// any.
Json to_json(const SystemComparison& comparison);

}  // namespace rubric::eval
