// The systems that `compare` compares, each a file or a value of a field of the rows, and which of
// their rows belong to one record.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "eval/resampling.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// Identifies a record across systems.
struct RecordKey {
  std::string group, constituent, id;  // the first two are "" if rows have none
  auto operator<=>(const RecordKey&) const = default;
};

std::string to_text(const RecordKey& key);  // "drop / 12"

// What people read of a row, "" where it has none; a list is joined by " / ".
struct RowTexts {
  std::string question, reference, candidate;
};

// What is kept of one system's rows, so that no file stays in memory whole.
struct SystemRows {
  std::string name, file;                   // file: for messages, if the system is a file
  std::vector<RecordKey> records;           // in file order, as what follows
  std::vector<QuestionKey> questions;       // kept for the first system only
  std::vector<std::vector<double>> scores;  // [metric][row]
  std::vector<RowTexts> texts;
  std::map<RecordKey, size_t> places;  // the row of each record
};

// Adds a file, whose rows were read with their metrics and optionally a group, as one system.
void add_file_system(const std::string& name, const std::string& file, const data::ScoredRows& rows,
                     std::vector<SystemRows>& systems);

// Adds the rows of a file, read with their system field too, to the systems that they name, in
// order of first appearance. Throws InputError for a record that a system already has from another
// file.
void add_named_systems(const std::string& file, const data::ScoredRows& rows,
                       std::vector<SystemRows>& systems);

// The rows of several systems, record by record in the order of the first system's file.
struct MatchedSystems {
  std::vector<std::string> names;
  std::vector<RecordKey> records;
  stats::Clusters questions;                             // as the first system's rows have them
  std::vector<std::vector<std::vector<double>>> scores;  // [metric][system][record]
  std::vector<std::vector<RowTexts>> texts;              // [system][record]
  std::string note;                                      // on records left out; "": none
};

// Matches systems that are files. Where each file has one constituent and another in each, it is
// the system's name and no part of its records' keys, and likewise the group; says so. Throws
// InputError naming the ids that one system has and another lacks. Both functions warn of records
// whose question differs between systems; here that is an InputError if the constituents were taken
// for names.
MatchedSystems match_files(std::vector<SystemRows> systems);

// Matches systems that a field names. Keeps the records that every system has, with a note on the
// others. Throws InputError when no record is left.
MatchedSystems match_named(std::vector<SystemRows> systems);

}  // namespace rubric::eval
