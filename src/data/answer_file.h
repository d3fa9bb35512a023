// A file of answers to score: the typed records beside the whole input, which the scores join.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/input_format.h"
#include "data/mocha.h"
#include "data/records.h"
#include "data/scores.h"

namespace rubric {

class AnswerFile {
 public:
  // Reads at most `limit` rows (0: all). Throws InputError naming file, row and field. CSV and TSV
  // begin with a line of field names.
  AnswerFile(std::filesystem::path file, InputFormat format, FieldNames names, int64_t limit);

  // One record for each row; a minimal pair of MOCHA gives two, the better candidate first.
  const std::vector<Answer>& records() const { return records_; }

  // Adds each record's scores to its row: "scores", for minimal pairs "scores1" and "scores2";
  // merged with scores that are there already.
  void add_scores(const Scores& scores);

  // JSON lines, or MOCHA's nesting where that was read. Appears whole or not at all.
  void write(const std::filesystem::path& file) const;

 private:
  struct Slot {
    size_t row;
    const char* member;  // "scores", "scores1" or "scores2"
  };
  void read_mocha(int64_t limit);
  void add_row(Json row, const std::string& where);
  std::string field_name(const std::string& ours) const;
  void require_field(const Json& row, const std::string& ours, const std::string& where) const;

  std::filesystem::path file_;
  InputFormat format_;
  FieldNames names_;
  std::vector<Json> rows_;
  std::vector<InstanceKey> keys_;  // of the rows, where MOCHA's nesting was read
  std::vector<Answer> records_;
  std::vector<Slot> slots_;  // where each record's scores go
};

}  // namespace rubric
