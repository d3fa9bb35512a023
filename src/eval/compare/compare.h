// The systems that `compare` is given: each a file, or what a field of the rows names.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "data/scored_files/scored_rows.h"
#include "eval/resampling.h"

namespace rubric {

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
                               const ScoredRows& rows);

// Adds the rows of a file, read with the field of their system, to the systems they name, which are
// in the order of their first row. Throws InputError for a record that a system has already, of
// another file.
void add_named_systems(const std::string& file, const ScoredRows& rows,
                       std::vector<SystemScores>& systems);

// Throws InputError naming ids of one system's file that another's lacks.
void require_same_records(const std::vector<SystemScores>& systems);

// Leaves the records that every system has and gives a note of the others, "" when there are none.
// Throws InputError when no record is left.
std::string keep_shared_records(std::vector<SystemScores>& systems);

}  // namespace rubric
