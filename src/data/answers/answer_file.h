// A file of answers to score: holds the typed records and the whole input rows, to which scores are
// added.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/answers/answer_rows.h"
#include "data/answers/mocha.h"
#include "data/answers/predicted_answers.h"
#include "data/records.h"
#include "data/rows/rows.h"
#include "data/rows/seen_rows.h"

namespace rubric::data {

// Which rows of a file are read.
struct RowSelection {
  int64_t limit = 0;                           // number of rows to read; 0: all
  std::vector<std::string> constituents = {};  // only rows of these; empty: of all
  std::filesystem::path no_answers = {};  // read_no_answers(), of formats with may_have_no_answer
  std::optional<double> no_answer_threshold = {};  // answers of a higher probability become ""
  AnswerOptions options = {};                      // the label is ignored
};

class AnswerFile {
 public:
  // Throws InputError naming file, row and field, and for a constituent that the file lacks.
  AnswerFile(std::filesystem::path file, InputFormat format, const FieldNames& names,
             RowSelection selection = {});

  // One record a row; a minimal pair gives two, the better candidate first.
  const std::vector<Answer>& records() const { return records_; }

  // Of each record; twice as many records as rows of minimal pairs.
  const std::vector<Json>& rows() const { return rows_; }

  // One for each record if the selection names a file of them and no threshold; else empty.
  const std::vector<NoAnswer>& no_answers() const { return no_answers_; }

  // What the selection changed, for signatures of scores: "|missing:drop|refsep:/|no_answer:0.5".
  const std::string& signature() const { return signature_; }

  // Adds each record's scores to its row, under "scores" or, for minimal pairs, "scores1" and
  // "scores2", and keeps the scores that are there already.
  void add_scores(const Scores& scores);

  // Takes out of each record's row the fields that `names` gives for the row and the ending of the
  // record's fields ("1" and "2" of a minimal pair, else ""). Returns the number of such records.
  int64_t drop_fields(
      const std::function<std::vector<std::string>(const Json& row, const std::string& suffix)>&
          names);

  // Says in each record's row, under "seen" ("seen1", "seen2"), how the model of the metrics has
  // seen its question: {"lerc": "trained"} or {"lerc": "tuned"}.
  void set_seen(std::span<const std::string> metrics, const SeenRows& seen);

  // Throws InputError for a row whose "seen" is no object.
  void check_seen_member() const;

  // Throws InputError for a row that has a field that add_field() would add under this name.
  void require_no_field(const std::string& name) const;

  // Adds a field to the row of a record, of minimal pairs NAME1 and NAME2.
  void add_field(size_t record, const std::string& name, Json value);

  // Writes JSON lines, or MOCHA's nesting if that was read; for other data sets' formats the rows
  // are those of answer_row(). The file appears whole or not at all.
  void write(const std::filesystem::path& file) const;

  // Throws InputError for a row that write() would refuse.
  void require_cells(const std::filesystem::path& file) const;

 private:
  struct Slot {
    size_t row;
    const char* suffix;  // of a minimal pair's "scores1" and "scores2", else ""
  };
  // Throws InputError for a question without one.
  void add_no_answers();
  bool is_selected(const std::string& constituent);
  bool is_full() const;  // the limit of the selection is reached
  void require_constituents() const;
  void add_row(std::vector<Answer> answers, Json row, const std::string& where);

  std::filesystem::path file_;
  InputFormat format_;
  RowSelection selection_;
  std::set<std::string> constituents_;  // of the rows read and of those skipped
  std::vector<Json> rows_;
  std::vector<InstanceKey> keys_;  // of the rows, if MOCHA's nesting was read
  std::vector<Answer> records_;
  std::vector<NoAnswer> no_answers_;
  std::vector<Slot> slots_;  // where each record's scores go
  std::string signature_;
};

}  // namespace rubric::data
