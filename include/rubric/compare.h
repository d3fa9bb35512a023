// Whether systems differ in the means of one or several metrics over the same records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/missing.h"
#include "rubric/output.h"
#include "rubric/statistics.h"

namespace rubric {

struct SystemMean {
  double mean = 0;
  std::optional<Interval> interval;
};

// Two systems by one metric.
struct Comparison {
  size_t first = 0, second = 0;      // systems
  double difference = 0;             // mean of the first minus mean of the second
  std::optional<Interval> interval;  // paired bootstrap over questions
  // Two-sided; each of the two tests with Holm's correction over all its comparisons: every pair of
  // systems by every metric, over all records and in every group that has not all of them.
  // Bootstrap (Koehn 2004, centred on the observed difference): how often a resampled difference is
  // at least as far from the observed one as that is from 0; 1 for one question, which has no
  // interval. Permutation test: how often the difference is at least as large when systems exchange
  // records.
  double bootstrap_p = 1, bootstrap_corrected = 1;
  double permutation_p = 1, permutation_corrected = 1;
  // The p are upper bounds: the least that as many resamples or drawn permutations can give.
  bool bootstrap_is_least = false, bootstrap_corrected_is_least = false;
  bool permutation_is_least = false, permutation_corrected_is_least = false;
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
  std::string signature;
  std::vector<std::string> systems;
  int64_t resamples = 0;
  int64_t permutations = 0;              // that each permutation test of more than 20 questions
                                         // draws (AgreementOptions)
  std::vector<GroupComparison> groups;   // all records, then by group if records have one
  std::vector<DifferingRows> differing;  // of every two systems; empty if none were asked for
  std::vector<std::string> notes;        // on records left out, and means of row scores
};

struct CompareRequest {
  std::vector<std::filesystem::path> files;  // scored rows; each is one system, unless `system`
  std::vector<std::string> names = {};       // of the files' systems; empty: the files' own
  std::vector<std::string> metrics;
  std::string system;        // the field that names a row's system; "": each file is one
  std::string group;         // a field to report by; "": none
  std::string input_format;  // "": by the file's name
  std::map<std::string, std::string> fields = {};  // the file's names of an answer's, by ours
  char delimiter = '\0';  // between the columns of a table; '\0': the format's
  // Records without a score: an error, or left out (drop), then with those that one file lacks.
  Missing missing = Missing::automatic;
  BootstrapOptions bootstrap;
  int64_t rows = 10;             // of each two systems, those that differ most; 0 to 1000
  std::filesystem::path report;  // also written: tables and pictures as one HTML page; "": none
  std::string command;           // which the page shows; "": none
};

// Reads the rows and compares every two systems by every metric. Records are matched by id and
// constituent; where each file has one constituent, or one group, and another in each, that is the
// system's name, and records are matched by id. Throws InputError for fewer than two systems, a
// file or metric that is named twice and, unless such records are left out, a metric that some rows
// lack and records that one file lacks; Interrupted when the context's token is cancelled.
RUBRIC_PUBLIC SystemComparison compare_systems(const CompareRequest& request,
                                               const Context& context = {});

// Tables, with `rows` also of the rows that differ; or JSON with all values; CSV is one table with
// a value a row. Ends with a newline.
RUBRIC_PUBLIC std::string print(const SystemComparison& comparison, OutputFormat format,
                                bool rows = false);

}  // namespace rubric
