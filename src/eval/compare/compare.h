// `compare`: whether systems differ in the means of metrics over the same records. Matching the
// rows of systems, the comparison, and the output.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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

// `compare`: whether systems differ in the means of metrics over the same records.

struct SystemMean {
  double mean = 0;
  std::optional<stats::Interval> interval;
};

// Two systems by one metric.
struct Comparison {
  size_t first = 0, second = 0;             // systems
  double difference = 0;                    // mean of the first minus mean of the second
  bool is_equal = false;                    // the difference is no larger than rounding
  std::optional<stats::Interval> interval;  // paired bootstrap over questions
  // Two-sided. Bootstrap (Koehn 2004, centred on the observed difference): how often a resampled
  // difference is at least as far from the observed one as that is from 0; none for one question,
  // which has no resamples but itself. Permutation test: how often the difference is at least as
  // large when the systems' scores of records are permuted; 1 for one question.
  std::optional<double> bootstrap_p;
  double permutation_p = 1;
  // The p are upper bounds: the least that as many resamples or drawn permutations can give.
  bool bootstrap_is_least = false, permutation_is_least = false;
  // Records that score higher with the first system, with neither, with the second. Scores are
  // equal within a hundred-thousandth of the metric's range, as those of a model vary with its
  // batch.
  int64_t wins = 0, ties = 0, losses = 0;
};

struct MetricComparison {
  std::vector<SystemMean> means;        // by system
  std::vector<Comparison> comparisons;  // of every two systems
};

struct GroupComparison {
  std::string name;              // "": all records
  int64_t n = 0, questions = 0;  // records; questions are fewer when several records share one
  std::vector<MetricComparison> metrics;
};

// A record on which two systems differ. Texts are as the first system's row has them, "" where it
// has none; a list is joined by " / ".
struct DifferingRow {
  std::string group, constituent, id, question, reference;
  std::string first_candidate, second_candidate;
  double first_score = 0, second_score = 0;
};

// The records on which two systems differ most by the first metric, by the size of the difference,
// then in the order of the file; those that tie are left out.
struct DifferingRows {
  size_t first = 0, second = 0;  // systems
  std::vector<DifferingRow> rows;
};

struct SystemComparison {
  std::vector<std::string> metrics;  // everything by metric is in this order
  std::vector<std::string> systems;
  int64_t resamples = 0;
  int64_t permutations = 0;              // that each permutation test of more than 20 questions
                                         // draws
  std::vector<GroupComparison> groups;   // all records, then by group if records have one
  std::vector<DifferingRows> differing;  // of every two systems; empty if none were asked for
  std::vector<std::string> notes;        // on records left out, and means of row scores
  std::string signature;
  bool prints_rows = false;  // `differing` in tables to read
};

// Compares two or more systems by each of `metrics`, which name their scores, and lists at most
// `rows` rows of each two systems. The questions are resampled once, for all systems and metrics.
SystemComparison compare_systems(const MatchedSystems& systems,
                                 const std::vector<std::string>& metrics,
                                 const stats::BootstrapOptions& options, int64_t rows);

// As compare_systems() of include/rubric/compare.h returns it.
Result comparison_result(const SystemComparison& comparison);

}  // namespace rubric::eval
