// `compare`: whether systems differ in the means of metrics over the same records. Matching the
// rows of systems, the comparison, and the output.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "eval/resampling.h"
#include "rubric/result.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// Identifies a record across systems.
struct RecordKey {
  std::string group, constituent, id;  // the first two are "" if rows have none
  QuestionHash question = {};          // where the question, in place of the id, names it
  auto operator<=>(const RecordKey&) const = default;
};

std::string to_text(const RecordKey& key);  // "drop / 12"

// What people read of a row, "" where it has none; a list is joined by " / ".
struct RowTexts {
  std::string question, reference, candidate;
};

// What is kept of one system's rows, so that no file stays in memory whole.
struct SystemRows {
  std::string name = {}, file = {};     // file: for messages, if the system is a file
  std::vector<RecordKey> records = {};  // in file order, as what follows
  std::vector<std::string> ids = {};    // of the rows, whatever the records are matched by
  bool has_ids = true;                  // else they are the numbers of rows
  std::vector<uint64_t> hashes = {};    // of rows without ids: those of copies are equal; 0: none
  std::vector<int64_t> rows = {};       // of each record: its scores are their means
  std::vector<QuestionHash> questions = {};
  std::vector<std::vector<double>> scores = {};  // [metric][record]
  std::vector<RowTexts> texts = {};
  std::map<RecordKey, size_t> places = {};  // the row of each record
  // Of rows without ids, the hashes of texts in columns that have no usual name; 0: no text.
  std::map<std::string, std::vector<uint64_t>> columns = {};
  std::set<std::string> text_columns = {};  // of these, those with more than whole numbers
};

// Adds a file, whose rows were read with their metrics and optionally a group, as one system.
void add_file_system(const std::string& name, const std::string& file, const data::ScoredRows& rows,
                     std::vector<SystemRows>& systems);

// Adds the rows of a file, read with their system field too, to the systems that they name, in
// order of first appearance. Both average the rows of one record in a file. Throws InputError for a
// record that a system already has from another file. Copies of a row without an id are of its
// record, as those with one are, where rows are matched by question or all files have them.
void add_named_systems(const data::ScoredRows& rows, std::vector<SystemRows>& systems);

// The rows of several systems, record by record in the order of the first system's file.
struct MatchedSystems {
  std::vector<std::string> names;
  std::vector<RecordKey> records;
  stats::Clusters questions;                             // as the first system's rows have them
  std::vector<std::vector<std::vector<double>>> scores;  // [metric][system][record]
  std::vector<std::vector<RowTexts>> texts;              // [system][record]
  std::vector<std::string> notes;  // on records left out, and on those of several rows
};

// Matches systems that are files. Records are matched by id, or by passage and question where that
// gives more records of all systems; then says so. Where each file has one constituent and another
// in each, it is the system's name and no part of its records' keys, and likewise the group; says
// so. Throws InputError naming the ids that one system has and another lacks. Both functions warn
// of records whose question differs between systems; here that is an InputError if the constituents
// were taken for names. In both it is one, as is another reference, where rows have no ids and are
// matched by their numbers; and where no question is known, a column with the same texts in another
// order. A warning names a column with other texts.
MatchedSystems match_files(std::vector<SystemRows> systems, bool shared_alone = false);

// Matches systems that a field names. Keeps the records that every system has, with a note on the
// others. Throws InputError when no record is left.
MatchedSystems match_named(std::vector<SystemRows> systems);

// The comparison.

// Compares two or more systems by each of `metrics`, which name their scores, and lists at most
// `rows` records on which every two systems differ, those that differ most by the first metric;
// with `prints_rows` also in tables to read. The result is as compare_systems() of
// include/rubric/compare.h returns it, without signature and inputs. The questions are resampled
// once, for all systems and metrics. One question has no interval and no p of the bootstrap.
//
// The p of the bootstrap (Koehn 2004, centred on the observed difference) is how often a resampled
// difference is at least as far from the observed one as that is from 0. Scores tie within a
// hundred-thousandth of the metric's range, as those of a model vary with its batch.
Result compare_systems(const MatchedSystems& systems, const std::vector<std::string>& metrics,
                       const stats::BootstrapOptions& options, int64_t rows,
                       bool prints_rows = false);

// That each permutation test of more than 20 questions draws.
int64_t permutations_of(const MatchedSystems& systems, size_t metrics,
                        const stats::BootstrapOptions& options);

}  // namespace rubric::eval
