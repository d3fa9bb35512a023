// Whether systems differ in the means of one or several metrics over the same records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/missing.h"
#include "rubric/result.h"
#include "rubric/row_format.h"
#include "rubric/statistics.h"

namespace rubric {

struct CompareRequest {
  std::vector<std::filesystem::path> files;  // scored rows; each is one system, unless `system`
  std::vector<std::string> names = {};       // of the files' systems; empty: the files' own
  std::vector<std::string> metrics;
  std::string system;  // the field that names a row's system; "": each file is one
  std::string group;   // a field to report by; "": none
  RowFormat row_format;
  // Records without a score: an error, or left out (drop), then with those that one file lacks.
  Missing missing = Missing::automatic;
  int64_t first_number = 1;  // of the rows of a file that have no ids
  BootstrapOptions bootstrap;
  // Of each two systems, those that differ most; 0 to 1000. Without a number 10, which print()
  // shows in JSON alone and a report shows.
  std::optional<int64_t> rows = {};

  void visit_fields(auto& field) {
    field("files", files, "scored files").input().positional();
    field("name", names, "the files' systems; without it they have the files' names").names();
    field("metric", metrics, "the metrics, such as f1,em; may be repeated").names();
    field("system", system, "the field that names the system of a row; else each file is one")
        .named("FIELD");
    field("group", group,
          "a field to report by as well, such as constituent; tables show 50 groups")
        .named("FIELD");
    field(
        "rows", rows,
        "rows on which each two systems differ most; without it 10 in the report and in JSON, none "
        "in other output")
        .range(0, 1000)
        .of_records();
    row_format.visit_fields(field);
    visit_missing(field, missing);
    field("first-number", first_number, "of rows without ids").hidden();
    bootstrap.visit_fields(field, kPermutationHelp);
  }
};

// Reads the rows and compares every two systems by every metric. Records are matched by id and
// constituent; where each file has one constituent, or one group, and another in each, that is the
// system's name, and records are matched by id.
//
// docs/results_format.md has the measurements. The bootstrap's p is that of Koehn (2004), centred
// on the observed difference: how often a resampled difference is at least as far from the observed
// one as that is from 0. That of the permutation test is how often the difference is at least as
// large when the systems' scores are permuted within questions. Holm's correction is over every
// pair of systems by every metric, over all records and in every group that has not all of them,
// for each method alone. Scores tie within a hundred-thousandth of the metric's range, as those of
// a model vary with its batch.
//
// Throws InputError for fewer than two systems, a file or metric that is named twice and, unless
// such records are left out, a metric that some rows lack and records that one file lacks;
// Interrupted when the context's token is cancelled.
RUBRIC_PUBLIC Result compare_systems(const CompareRequest& request, const Context& context = {});

}  // namespace rubric
