// The systems that `compare` is given: each a file, or what a field of the rows names.
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
#include "stats/bootstrap.h"

namespace rubric::eval {

// What the same record of two systems shares.
struct RecordKey {
  std::string group, constituent, id;  // the first two: "" where rows have none
  auto operator<=>(const RecordKey&) const = default;
};

struct ScoredRecord {
  double score = 0;  // of one metric
  QuestionKey question;
};

struct SystemScores {
  std::string name, file;          // the second, where a system is a file, for messages
  std::vector<RecordKey> records;  // in file order
  std::map<RecordKey, ScoredRecord> scores;
};

// The one system of a file's rows, which are read with one metric and perhaps a group.
SystemScores whole_file_system(const std::string& name, const std::string& file,
                               const data::ScoredRows& rows);

// Adds the rows of a file, read with the field of their system, to the systems they name, which are
// in the order of their first row. Throws InputError for a record that a system has already, of
// another file.
void add_named_systems(const std::string& file, const data::ScoredRows& rows,
                       std::vector<SystemScores>& systems);

// Throws InputError naming ids of one system's file that another's lacks.
void require_same_records(const std::vector<SystemScores>& systems);

// Leaves the records that every system has and gives a note of the others, "" when there are none.
// Throws InputError when no record is left.
std::string keep_shared_records(std::vector<SystemScores>& systems);

// Whether systems differ in the mean of one metric over the same records.

struct SystemMean {
  double mean = 0;
  std::optional<stats::Interval> interval;
};

struct Comparison {
  size_t first = 0, second = 0;             // systems
  double difference = 0;                    // the mean of the first less that of the second
  std::optional<stats::Interval> interval;  // questions resampled, in pairs
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
                                 const stats::BootstrapOptions& options);

// To be read: means, then comparisons, each over all records and by group.
std::vector<Table> comparison_tables(const SystemComparison& comparison);

// A figure a row: system, figure ("mean", "difference"), group ("": all records), other, value, the
// ends of its 95% interval, p_bootstrap, p_bootstrap_holm, p_permutation, p_permutation_holm, n.
Table comparison_value_table(const SystemComparison& comparison);

// {"metric", "n", "questions", "systems": {NAME: {"mean", "ci95"}}, "comparisons": [{"first",
// "second", "difference", "ci95", "p_bootstrap", "p_bootstrap_holm", "p_permutation",
// "p_permutation_holm"}], "groups": {NAME: {"n", "questions", "systems", "comparisons"}},
// "signature", "note"}; the last three where there are any.
Json to_json(const SystemComparison& comparison);

}  // namespace rubric::eval
