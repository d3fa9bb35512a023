// The one rule for missing values in rows (rubric::Missing), and the warnings about what it did,
// about fields that are no texts and about names.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/rows/names.h"
#include "rubric/missing.h"

namespace rubric::data {

// The values of --missing: empty, drop, error.
const std::vector<std::string>& missing_names();

// The name of a rule; "auto" for automatic.
std::string missing_name(Missing rule);

// The rule of that name; automatic for "". Throws InputError with `where`.
Missing missing_named(const std::string& name, const std::string& where);

// Applies the rule to the rows of one file, and counts.
//
//   MissingValues missing(Missing::drop, is_table(format));
//   if (missing.lacks(value) && !missing.keeps(MissingValues::kCandidate, "prediction", where)) {
//     return;  // without this row
//   }
//   …
//   missing.warn();  // "1 row is left out: 1 without a candidate (rows.csv:3)"
class MissingValues {
 public:
  enum Field { kCandidate, kReference, kLabel };

  explicit MissingValues(Missing rule = Missing::automatic, bool is_table = false)
      : rule_(rule), is_table_(is_table) {}

  // Whether the file is a table, where its reader is the first to know.
  void set_table(bool is_table) { is_table_ = is_table; }

  // Whether the value is missing: no field, null, a list of nulls alone, and in a table a cell of
  // white space.
  bool lacks(const Json* value) const;

  // Whether a text that is blank may count as missing: the rule is to drop it or an error.
  bool is_strict() const { return rule_ == Missing::drop || rule_ == Missing::error; }

  // Whether a row without this field, which the file calls `name`, is read all the same, with the
  // text ""; false: it is left out, and counted. Throws InputError, which shows `value` where that
  // is a word for a missing label.
  bool keeps(Field field, const std::string& name, const std::string& where,
             const Json* value = nullptr);

  // Throws InputError if no rule is named and none of so many rows has a candidate: the answers are
  // elsewhere; `advice` says how to name them.
  void require_candidates(
      int64_t rows, const std::string& file,
      const std::string& advice = "name the field of the answers, --field candidate=…") const;

  // Counts a field that is a list or an object instead of a text: it is read as its JSON, as ids
  // are, or not at all.
  void add_non_text(const std::string& name, const Json& value, bool is_read,
                    const std::string& where);

  // A name in the field `name`, of which NamesInField warns.
  std::string add_name(const std::string& name, std::string_view text, bool is_id,
                       const std::string& where);

  // Throws InputError for the first field that is no text.
  void require_texts() const;

  // One warning about the rows that are left out, those about names, one about each field that is
  // no text and, unless
  // the caller warns of empty texts itself, one about rows that are read with the text "".
  void warn(bool of_empty = true) const;

  // "|missing:drop" or "|missing:empty" where a rule that was named changed a row, else "".
  std::string signature() const;

 private:
  Missing rule_;
  bool is_table_;
  std::array<std::vector<std::string>, 3> dropped_, empty_;    // places of rows, by field
  std::map<std::string, std::vector<std::string>> non_texts_;  // places of rows, by what is said
  std::map<std::string, NamesInField> names_;                  // by field
};

}  // namespace rubric::data
