// Reads scored files: rows with the scores of several metrics, human labels, and prediction files
// that are matched to instances by key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/answers/readers.h"
#include "data/rows/rows.h"

namespace rubric::data {

struct ScoredSource {
  std::filesystem::path file;
  InputFormat format;
  std::vector<Json> rows;
  std::vector<std::string> wheres;  // the place of each row, for messages
  std::vector<std::string> ids;     // the field "id", else the row's number in the file

  bool is_table() const { return format == InputFormat::csv || format == InputFormat::tsv; }
};

// In MOCHA's nesting every row also gets the fields "constituent", "id" and "source". Throws
// InputError as the readers do, and for a file without rows.
ScoredSource read_scored_source(const std::filesystem::path& file, InputFormat format);

// Whether a value is missing, null or an empty cell.
bool is_blank(const Json* value);

// The value of a number or of true and false (1 and 0), each also as text. Throws InputError for
// anything else; the message calls it `what`.
double require_value(const Json& value, const std::string& what, const std::string& where);

// The columns of a table that hold only numbers, except an answer's fields (a reference may be a
// number) and `others`. NaN and infinity count as numbers here, so that the reader of the column
// reports them. Warns of columns that are left out although they are empty or hold mostly numbers.
std::vector<std::string> number_columns(const ScoredSource& source,
                                        const std::vector<std::string>& others = {});

// The field "constituent" of a row; "" if it has none.
std::string constituent_of(const Json& row);

// The names of the fields to read; "": not read. In MOCHA's nesting every row also has the fields
// "constituent", "id" and "source".
struct RowFields {
  std::string human, group, system;
  std::vector<std::string> metrics;  // empty: all
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

// What metrics gave to the instances of a MOCHA file: the files that hold such numbers, and which
// number belongs to which instance.

// A key without constituent ("") stands for the one instance of that id.
using Predictions = std::map<InstanceKey, double>;

// The number `field` of every instance: "pred_score" of a prediction file in MOCHA's nesting,
// "pred_score1" and "pred_score2" of one for minimal pairs. A file named .jsonl, .csv or .tsv holds
// rows with id, perhaps constituent, and that field.
Predictions read_predictions(const std::filesystem::path& path, const std::string& field);

// The numbers of a scored file by metric, from the object `field` ("scores", of minimal pairs
// "scores1" and "scores2") of every instance; null is no score. The file is what `rubric score`
// writes: MOCHA's nesting, or JSON lines with "id" and perhaps "constituent"; or, for "scores", a
// table with a column for each metric, where an empty cell is no score. Throws InputError when an
// instance has two scores of one metric, or nothing is scored.
std::map<std::string, Predictions> read_scores(const std::filesystem::path& path,
                                               const std::string& field);

struct MatchedPredictions {
  std::vector<std::optional<double>> values;  // by key; nothing: missing
  std::vector<InstanceKey> unused;            // of predictions that fit no key
};

// The prediction of each instance: that of its key or, where files name no constituents, of its id
// alone. An InputError when such an id stands in several constituents or nothing fits at all.
MatchedPredictions match_predictions(std::span<const InstanceKey> keys,
                                     const Predictions& predictions, const std::string& metric);

}  // namespace rubric::data
