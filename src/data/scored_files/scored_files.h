// Reads scored files: rows with the scores of several metrics, human labels, and prediction files
// that are matched to instances by key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "data/answers/mocha.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"
#include "rubric/missing.h"

namespace rubric::data {

// eval::question_hash() of a row's question and passage.
using QuestionHash = std::pair<uint64_t, uint64_t>;

struct ScoredSource {
  std::filesystem::path file;
  InputFormat format = {};
  std::vector<Json> rows = {};           // the fields of an answer under our names
  std::vector<std::string> places = {};  // the place of each row, for messages
  std::vector<std::string> ids = {};     // the field "id", which may be "doc_id", else the number
  FieldNames names = {};                 // the file's names of ours, where they differ
  std::vector<std::string> copies = {};  // places of rows that are equal to an earlier one
  std::vector<std::string> label_warnings = {};  // about stray labels (warn_of_stray_labels())
  // By row, of rows with a question, as a RowShortener may have taken its text; empty without one.
  std::vector<std::optional<QuestionHash>> question_hashes = {};

  bool is_table() const { return data::is_table(format); }
};

// Whether a row that is equal to another in every field is a copy of it: it has texts, and no id.
// Rows with ids are distinguished by their ids. Rows without ids may be equal.
bool may_be_copy(const Json& row);

// Reads rows with scores. The fields of an answer (id, constituent, passage, question, reference,
// candidate) get our names: `names` says what the file calls them, else complete_names() finds it.
// Where several fields may be one of ours, these keep their names (Reads::scores). In MOCHA's
// nesting every row also gets the fields "constituent", "id" and "source". Throws InputError as the
// readers do, and for a file without rows. `shorten` may take from each row but the first what is
// not needed of it, by its id, and returns the hash of its question. Rows without ids are numbered
// from `first_number`.
using RowShortener =
    std::function<std::optional<QuestionHash>(Json& row, const std::string& id, bool is_first)>;
ScoredSource read_scored_source(const std::filesystem::path& file, InputFormat format,
                                const FieldNames& names = {}, const RowShortener& shorten = nullptr,
                                int64_t first_number = 1);

// Throws InputError for a field of `names`, given for read_scored_source(), that no row has.
void require_named_fields(const ScoredSource& source, const FieldNames& names);

// The name in `source.rows` of a field that an option names by the file's name or by ours.
std::string field_in(const ScoredSource& source, const std::string& name);

// For messages, what the file calls a field of `source.rows`.
std::string name_in_file(const ScoredSource& source, const std::string& field);

// The field that is likely to name the system of each row: "source", "system" or "model"; "" if no
// row has one of them.
std::string likely_system(const ScoredSource& source);

// A metric's score of a row: a member of "scores", as `rubric score` writes them, else a field.
FieldValue find_score(const Json& row, const std::string& metric);

// A number; cells of tables are texts.
std::optional<double> number_of(const Json& value);

// The names of the numbers in a row: in "scores", and in fields that are neither of an answer nor
// ids.
std::vector<std::string> numbers_in_row(const Json& row);

// Whether every row has an id; a question.
bool has_ids(const ScoredSource& source);
bool has_questions(const ScoredSource& source);

// Makes each row's question its id.
void identify_by_question(ScoredSource& source);

// For messages, so that a number is read as an id: "id 66", "ids 66, 67".
std::string ids_text(const std::vector<std::string>& ids);

// Whether some row has a value of the field.
bool has_values(const ScoredSource& source, const std::string& field);

// Whether ids usually have this name: id, qid, doc_id, index, row, Unnamed: 0.
bool is_id_name(std::string_view name);

// The columns of a table that hold only numbers, except an answer's fields (a reference may be a
// number), `others` and ids: whole numbers under a name of ids, or the numbers of ten rows or more.
// NaN and infinity count as numbers here, so that the reader of the column reports them. A line
// names the ids; warns of columns that are left out although they are empty or hold mostly numbers.
std::vector<std::string> number_columns(const ScoredSource& source,
                                        const std::vector<std::string>& others = {});

// The field "constituent" of a row, else sample_constituent() of one with "doc_id"; "" if it has
// none.
std::string constituent_of(const Json& row);

// The names of the fields to read; "": not read. In MOCHA's nesting every row also has the fields
// "constituent", "id" and "source".
struct RowFields {
  std::string human = {}, group = {}, system = {};
  std::vector<std::string> metrics = {};  // empty: all
  // Other names of these metrics, by name: read where no row has that one.
  std::map<std::string, std::vector<std::string>> other_names = {};
  // Groups and systems are read only where some row has the field.
  bool names_are_optional = false;
  // The first file, where this is a further one: a field that is missing here has another name, and
  // the message advises to rename that. "": this is the first file.
  std::filesystem::path as_in = {};
  // Of a table all of whose metrics are read: further columns that are none.
  std::vector<std::string> no_metrics = {};
  // The field of the labels where it is not read here: as `human`, it is no metric, unless some row
  // has another score under its name.
  std::string label = {};
  bool reads_scores = true;  // else no metric is read, and none need be there
  // What becomes of rows without a label, and of rows without one of the scores: `drop` leaves
  // them out, else they are an error.
  Missing missing = Missing::automatic;
  // With `drop`, rows without a score stay among the others, marked, with the score 0: labels that
  // are joined by ids belong to them.
  bool marks_unscored = false;
  // For what matches no rows by their ids: rows of one id may be told apart by likely_system()
  // where no field of systems is read, or by their candidates; then the id is a question's.
  bool sources_tell_apart = false;
  // Rows of one id, question and reference that no field of texts tells apart are allowed: several
  // answers of one system, whose scores are averaged.
  bool averages_rows = false;
  FieldNames fields = {};  // the file's names of the fields of an answer (read_scored_source)
};

struct ScoredRows : ScoredSource {
  std::vector<double> human;                 // empty when not read
  std::vector<std::string> groups, systems;  // empty when not read
  std::vector<std::string> metrics;
  std::vector<std::vector<double>> scores;  // [metric][row]
  int64_t unlabelled = 0;                   // rows without a label, which are left out
  int64_t unscored = 0;                     // rows without a score, which are left out or marked
  std::vector<bool> is_unscored;            // by row; empty: none is marked
};

// Reads rows with the scores of several metrics and optionally human labels. A metric is a member
// of a row's "scores", as `rubric score` writes it, or a field of the row itself. The default
// metrics are the members of "scores" and, in a table, the columns that hold only numbers and are
// not fields of an answer. Labels are what require_value() reads; null, an empty cell or a
// missing field is not a label. Throws InputError, naming rows, for a field that no row has, a
// label or score that is not a finite number or, unless such rows are left out, is missing, an
// empty group or system, and two rows with one id and the same group, system and field
// "constituent"; the message names a field that tells them apart.
ScoredRows read_scored_rows(const std::filesystem::path& file, InputFormat format,
                            const RowFields& fields);
ScoredRows read_scored_rows(ScoredSource source, const RowFields& fields);

// Removes the rows that are marked (RowFields::marks_unscored).
void remove_unscored(ScoredRows& rows);

// Throws InputError if no row has the field that `option` names, with the nearest; and, for
// --human, if it is empty in all rows. `as_in` is RowFields::as_in. The advice on labels ends with
// `further`.
void require_field(const ScoredSource& source, const std::string& option, const std::string& field,
                   const std::filesystem::path& as_in = {}, const std::string& further = "");

// The field's value in each row, as text. Throws InputError as require_field() does, and for a row
// without it.
std::vector<std::string> names_in_rows(const ScoredSource& source, const std::string& option,
                                       const std::string& field,
                                       const std::filesystem::path& as_in = {});

// The key of a row, which identifies the same record for several systems and in several files. The
// constituent is the field of that name, or "" if it is missing or names the system.
InstanceKey key_of(const ScoredRows& rows, size_t i);

// The predictions of a metric for the instances of a MOCHA file.

// A key without constituent ("") refers to the only instance with that id.
using Predictions = std::map<InstanceKey, double>;

// Reads the number `field` of every instance: "pred_score" of a prediction file in MOCHA's nesting,
// "pred_score1" and "pred_score2" of one for minimal pairs. A .jsonl, .csv or .tsv file holds rows
// with id, optionally constituent, and that field.
Predictions read_predictions(const std::filesystem::path& path, const std::string& field);

// Reads a scored file by metric, from the object `field` ("scores", or "scores1" and "scores2" of
// minimal pairs) of every instance; null is not a score. The file is one that `rubric score` writes
// (MOCHA's nesting, or JSON lines with "id" and optionally "constituent") or, for "scores", a table
// with a column for each metric, where an empty cell is not a score. Throws InputError when an
// instance has two scores of one metric, and when no instance has a score.
std::map<std::string, Predictions> read_scores(const std::filesystem::path& path,
                                               const std::string& field);

struct MatchedPredictions {
  std::vector<std::optional<double>> values;  // by key; nullopt: missing
  std::vector<InstanceKey> unused;            // keys of predictions that match no instance
};

// Matches predictions to instances by key or, in files without constituents, by id. Throws
// InputError when such an id occurs in several constituents, and when nothing matches.
MatchedPredictions match_predictions(std::span<const InstanceKey> keys,
                                     const Predictions& predictions, const std::string& metric);

}  // namespace rubric::data
