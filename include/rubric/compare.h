// Whether systems differ in the mean of one metric over the same records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/output.h"
#include "rubric/statistics.h"

namespace rubric {

struct SystemMean {
  double mean = 0;
  std::optional<Interval> interval;
};

struct Comparison {
  size_t first = 0, second = 0;      // systems
  double difference = 0;             // mean of the first minus mean of the second
  std::optional<Interval> interval;  // paired bootstrap over questions
  // Two-sided, with Holm's correction over all comparisons of all groups. Bootstrap (Koehn 2004,
  // centred on the observed difference): how often a resampled difference is at least as far from
  // the observed one as that is from 0. Permutation test: how often the difference is at least as
  // large when systems exchange records.
  double bootstrap_p = 1, bootstrap_corrected = 1;
  double permutation_p = 1, permutation_corrected = 1;
  // The p are at most so: the least that so many resamples or exchanges can give.
  bool bootstrap_is_least = false, permutation_is_least = false;
};

struct GroupComparison {
  std::string name;              // "": all records
  int64_t n = 0, questions = 0;  // records; questions are fewer when several records share one
  std::vector<SystemMean> means;
  std::vector<Comparison> comparisons;  // of every two systems
};

struct SystemComparison {
  std::string metric, signature;
  std::vector<std::string> systems;
  int64_t resamples = 0;
  int64_t exchanges = 0;                // of each permutation test, as of AgreementOptions
  std::vector<GroupComparison> groups;  // all records, then by group if records have one
  std::string note;                     // on records left out; "": none
};

struct CompareRequest {
  std::vector<std::filesystem::path> files;  // scored rows; each is one system, unless `system`
  std::string metric;
  std::string system;        // the field that names the system a row is of; "": each file is one
  std::string group;         // a field to report by; "": none
  std::string input_format;  // "": by the file's name
  char delimiter = '\0';     // between the columns of a table; '\0': the format's
  BootstrapOptions bootstrap;
};

// Reads the rows and compares every two systems, by matching records by id. Throws InputError for
// fewer than two systems, a file that is named twice, and records that one system lacks;
// Interrupted when the context's token is cancelled.
RUBRIC_PUBLIC SystemComparison compare_systems(const CompareRequest& request,
                                               const Context& context = {});

// Tables, or JSON with all values; CSV is one table with a value a row. Ends with a newline.
RUBRIC_PUBLIC std::string print(const SystemComparison& comparison, OutputFormat format);

}  // namespace rubric
