// Anyone's file of rows with several metrics' scores and perhaps human labels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/rows/rows.h"
#include "data/answers/readers.h"

namespace rubric {

// What the file calls things; "": not read. In MOCHA's nesting every row also has the fields
// "constituent", "id" and "source".
struct RowFields {
  std::string human, group, system;
  std::vector<std::string> metrics;  // empty: all there are
};

struct ScoredRows {
  std::vector<Json> rows;
  std::vector<std::string> ids;              // the field "id", else the row's number in the file
  std::vector<double> human;                 // empty when not read
  std::vector<std::string> groups, systems;  // empty when not read
  std::vector<std::string> metrics;
  std::vector<std::vector<double>> scores;  // [metric][row]
  int64_t unlabelled = 0;                   // rows without a human label, which are left out
};

// A metric is a member of a row's "scores", as `rubric score` writes it, or a field of the row
// itself. All there are: the members of "scores" and, in a table, the columns that hold
// numbers alone and are no fields of an answer. Labels are numbers or true and false (1 and 0);
// null, an empty cell or no such field is no label. Throws InputError, naming rows, for a field
// that no row has, a label or score that is not a finite number, a metric that some rows lack, an
// empty group or system, two rows with one id that do not differ in group, system or the field
// "constituent".
ScoredRows read_scored_rows(const std::filesystem::path& file, InputFormat format,
                            const RowFields& fields);

// What a row's id identifies: the same record for several systems, and in several files. The
// constituent is the field of that name, "" where there is none or where it names the system.
InstanceKey key_of(const ScoredRows& rows, size_t i);

}  // namespace rubric
