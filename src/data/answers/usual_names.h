// What files call the fields of an answer: one table, which docs/rows.md shows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric::data {

// Whether the field of this name, in any case of letters, is usually a text of an answer: one of
// ours, or what else it is called.
bool is_text_field(const std::string& name);

// Whether rows usually call our field so.
bool is_usual_name(const std::string& ours, const std::string& theirs);

// Whether usual_names() looks at a member of this name, alone or as the first of a path.
bool may_be_field(const std::string& name);

// Whether a column holds texts: under a usual name, or one of `names`.
IsTextColumn text_columns(const FieldNames& names);

// What is read of the rows beside the other fields of an answer.
enum class Reads {
  texts,   // the texts to score
  labels,  // the label, too
  scores,  // scores: label and texts decide no number
};

// What a field holds in all rows.
struct FieldContent {
  bool has_text = false, has_number = false;  // also as text, and in lists
  bool has_json_number = false;               // or true or false of JSON
  int64_t values = 0, blanks = 0;             // not null; of these blank texts
  int64_t lists = 0, nested = 0, others = 0;  // lists of values; lists of lists; objects
  int64_t labels = 0;                         // numbers, true, false and words for them
  int64_t unlabelled = 0;                     // words for a missing label
  int64_t verdicts = 0;                       // of the labels: words on an answer, "correct"

  bool has_list() const { return lists > 0; }
  bool is_text() const { return has_text || (blanks > 0 && !has_number && !has_list()); }
  bool is_label() const { return labels > values - blanks - unlabelled - labels; }
  bool is_verdict() const { return verdicts > 0 && verdicts == values - blanks; }
  // Whether it is mostly these; a few may be slips, which the reader of their rows names.
  bool is_mostly(int64_t count) const { return 2 * count > values; }
};

// What decides how rows name our fields: which members there are, what those hold that may be ours,
// and which of them hold the same texts. Read row by row, as there may be millions, of which no
// text is kept.
class FieldEvidence {
 public:
  explicit FieldEvidence(FieldNames given = {});
  void add(const Json& row);

  const FieldNames& given() const { return given_; }
  bool is_empty() const { return is_empty_; }
  bool are_pairs() const { return are_pairs_; }      // is_row_pair()
  bool are_samples() const { return are_samples_; }  // is_lm_eval_sample()
  // In one order, whatever that of the rows. Descending, so that "model_answer" comes before
  // "modelAnswer", and "id" before "ID": of fields that hold the same the first is taken.
  const std::set<std::string, std::greater<>>& members() const { return members_; }
  const FieldContent& content_of(const std::string& field) const;
  // Whether the path leads to a value in an object of some row.
  bool has_path(const std::string& path) const;
  // Whether two fields hold the same in all rows, and not empty texts alone.
  bool are_equal(const std::string& one, const std::string& other) const;
  // Whether the texts of a field hold those of another in every row: ["dog", "hound"] holds "dog".
  bool holds_all(const std::string& whole, const std::string& part) const;

 private:
  struct Field {
    FieldContent content;
    bool has_text = false,
         has_empty = false;  // a text that is not empty, and before it one that is
    bool is_path = false;
    bool has_texts() const { return has_text || has_empty; }
  };
  struct Pair {  // one < other
    size_t one, other;
    bool are_equal, holds_other, is_held;
  };
  size_t number_of(const std::string& field);
  void compare();
  const Pair* find_pair(size_t one, size_t other) const;

  FieldNames given_;
  bool is_empty_ = true, are_pairs_ = true, are_samples_ = true;
  std::set<std::string, std::greater<>> members_;
  std::vector<std::pair<std::string, std::string>> paths_;  // and their first names
  std::map<std::string, size_t> numbers_;                   // of fields
  std::vector<Field> fields_;
  std::vector<Pair> pairs_;                             // of which one may still hold the other
  std::vector<std::string> last_members_;               // of the row before
  std::vector<std::pair<size_t, size_t>> last_fields_;  // of these, and the fields' numbers
  std::vector<FieldValue> values_;                      // of a row's fields
};

// Whether two rows have members of the same names in the same order, as most have.
bool have_same_members(const Json& one, const Json& other);

struct UsualNames {
  FieldNames names;
  std::vector<std::string> undecided;  // a note on each field of ours that may be several
};

// The file's names of our fields, added to `names`, from rows in any order. A name is
// taken by what the field holds (a candidate is one text, a reference a text or a list of texts, a
// label a number, true or false, or a word such as "correct") and by what is beside it. Cells of a
// table are texts; those that are all numbers count as numbers. A few lists or objects in a field
// of texts are slips, which row_answer() names. A field of the file is one of ours at most: a
// "label" that holds mostly labels is the label where that is read, else the reference of rows
// without another. Of references, a field whose texts are part of another's in all rows gives way
// to that. Where several fields may be one of ours and do not hold the same, it is not read, with a
// note. Throws InputError if it is the candidate or the reference, or the label where that is read,
// but for Reads::scores; so for numbered references, reference_1, reference_2.
UsualNames usual_names(const FieldEvidence& rows, const std::string& where,
                       Reads reads = Reads::texts);
UsualNames usual_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                       Reads reads = Reads::texts);

// The same, and logs what it adds, the notes, and which fields hold numbers that are read as texts.
FieldNames complete_names(const FieldEvidence& rows, const std::string& where,
                          Reads reads = Reads::texts);
FieldNames complete_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                          Reads reads = Reads::texts);

}  // namespace rubric::data
