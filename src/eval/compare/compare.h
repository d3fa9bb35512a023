// `compare`: whether systems differ in the means of metrics over the same records. Matching the
// rows of systems, the comparison, and the output.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "rubric/compare.h"
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
  std::string name, file;          // file: for messages, if the system is a file
  std::vector<RecordKey> records;  // in file order, as what follows
  std::vector<std::string> ids;    // of the rows, whatever the records are matched by
  bool has_ids = true;             // else they are the numbers of rows
  std::vector<QuestionHash> questions;
  std::vector<std::vector<double>> scores;  // [metric][row]
  std::vector<RowTexts> texts;
  std::map<RecordKey, size_t> places;  // the row of each record
  // Of rows without ids, the hashes of texts in columns that have no usual name; 0: no text.
  std::map<std::string, std::vector<uint64_t>> columns;
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

// `compare`: whether systems differ in the means of metrics over the same records.

using rubric::Comparison;
using rubric::DifferingRow;
using rubric::DifferingRows;
using rubric::GroupComparison;
using rubric::MetricComparison;
using rubric::SystemComparison;
using rubric::SystemMean;

// Compares two or more systems by each of `metrics`, which name their scores, and lists at most
// `rows` rows of each two systems. The questions are resampled once, for all systems and metrics.
SystemComparison compare_systems(const MatchedSystems& systems,
                                 const std::vector<std::string>& metrics,
                                 const stats::BootstrapOptions& options, int64_t rows);

// The results of `compare` as tables, JSON and a report.

std::string pair_name(const SystemComparison& comparison, const Comparison& pair);  // "a – b"

// Over how many comparisons Holm's correction is: a group that has all records adds none.
size_t count_tests(const SystemComparison& comparison);

// Tables to read: means of all metrics, then all comparisons, each over all records and by group.
// Notes below the first say which system each metric puts first and which others the permutation
// test does not tell apart from it.
std::vector<Table> comparison_tables(const SystemComparison& comparison);

// For each two systems that differ anywhere, the rows on which they differ most, with texts of at
// most `longest` characters. Texts that no row has get no column.
std::vector<Table> differing_tables(const SystemComparison& comparison, size_t longest);

// A value a row: metric; system; figure ("mean", "difference"); group ("": all records); other (the
// second system of a difference); value; its 95% interval; p_bootstrap, p_bootstrap_holm,
// p_permutation, p_permutation_holm; n; wins, ties, losses; and for each p whether it is an upper
// bound: p_bootstrap_is_least, ….
Table comparison_value_table(const SystemComparison& comparison);

// RESULTS with "metric" for one metric, {"metrics": {NAME: RESULTS}} for several, where RESULTS is
// {"n", "questions", "systems": {NAME: {"mean", "ci95"}}, "comparisons": [{"first", "second",
// "difference", "ci95", "p_bootstrap", "p_bootstrap_holm", "p_permutation", "p_permutation_holm",
// "p_bootstrap_is_least", "p_bootstrap_holm_is_least", "p_permutation_is_least",
// "p_permutation_holm_is_least", "wins", "ties", "losses"}], "groups": {NAME: {"n", "questions",
// "systems", "comparisons"}}}. Beside that "differing": [{"metric", "first", "second", "rows":
// [{"group", "constituent", "id", "question", "reference", "first_candidate", "second_candidate",
// "first_score", "second_score"}]}], "exchanges" (the number of permutations that each permutation
// test of more than 20 questions draws), "signature", "note". Groups, "differing", "signature" and
// "note" are there where there are any, and so are the texts of a row.
Json to_json(const SystemComparison& comparison);

// Which system is best by each metric; means, differences, wins, ties and losses, as tables and
// pictures; the rows that differ most.
Report comparison_report(const SystemComparison& comparison);

}  // namespace rubric::eval
