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
  // Records without a score, or that one file lacks, are an error. `drop` leaves them out.
  Missing missing = Missing::automatic;
  int64_t first_number = 1;  // of the rows of a file that have no ids
  BootstrapOptions bootstrap;
  // How many rows are listed on which each two systems differ most; 0 to 1000. Without a number
  // there are 10, which only JSON and a report show.
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
// constituent. If each file has one constituent, or one group, of its own, that is the system's
// name, and records are matched by id.
//
// docs/results_format.md has the measurements. d is the observed difference of two means, d' a
// resampled or permuted one. The bootstrap's p is that of Koehn (2004), centred on d: the share of
// resamples with |d' - d| >= |d|. The permutation test's p is the share of permutations of the
// systems' scores within questions with |d'| >= |d|. Holm's correction is for each method over all
// pairs of systems, all metrics, all records and every group that has not all records. Scores tie
// within 1e-5 of the metric's range, because a model's scores vary with its batches.
//
// Throws InputError for fewer than two systems, for a file or metric that is named twice and,
// unless they are left out, for records without a score or that one file lacks. Throws Interrupted
// when the context's token is cancelled.
RUBRIC_PUBLIC Result compare_systems(const CompareRequest& request, const Context& context = {});

}  // namespace rubric
