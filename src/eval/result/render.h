// How a Result is printed: its layouts as tables, its measurements as CSV and JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "rubric/result.h"

namespace rubric::eval {

// A count as a measurement, and a column of counts.
Measurement count_of(const Keys& keys, const std::string& statistic, int64_t count);
Column counts_column(const std::string& title, const std::string& statistic);

// Adds measurements that have keys, a number of records and the reason for missing values in
// common.
struct Adder {
  std::vector<Measurement>& to;
  Keys keys = {};
  std::optional<int64_t> n = {};
  std::string why_missing = {};

  Measurement& operator()(const std::string& statistic, std::optional<double> value,
                          const std::optional<Interval>& interval = {}) const;
  // Counts have no number of records.
  void counts(std::initializer_list<std::pair<const char*, int64_t>> counts) const;
};

// What the tests have in common over which one correction is.
using HolmFamily = std::pair<std::string, std::string>;
HolmFamily method_and_subset(const Measurement& test);

// Gives all measurements that have a p theirs with Holm's correction, which is over those of one
// family. A group that has all n records is no further test: its p are those of all records.
// Returns the number of tests of each family.
std::map<HolmFamily, size_t> add_holm(
    std::span<Measurement> measurements,
    HolmFamily (*family_of)(const Measurement&) = method_and_subset);

// The measurement "difference" of two metrics or systems, whichever is first, or nullptr. `keys`
// has the one as its `key`, the other as against, and the others.
const Measurement* find_difference(std::span<const Measurement> measurements, const Keys& keys,
                                   Key key = &Keys::metric);

// Which of `all` metrics or systems (the key) have the `highest` value, and how their difference to
// each other one is tested, with these keys: "f1 has the highest mean; the difference is not
// significant at 0.05 for em". The p are those with Holm's correction.
std::string best_note(std::span<const Measurement> measurements, const Keys& keys, Key key,
                      std::span<const std::string> all, const std::set<std::string>& best,
                      const std::string& value, const std::string& extreme = "highest");

// A line for each row of the layout, the first on top, with a point of each column in its colour.
Plot interval_plot(const Result& result, const IntervalPlot& plot);

// Records whose rows are in memory.
using RecordRows = std::vector<std::vector<RecordValue>>;
Records held_records(Records records, RecordRows rows);

// The layout's table. Cells hold their numbers, so that nothing reads them back from the text. A
// user's text that equals a RowKey's `empty` is quoted, so the total's row differs. Throws
// std::logic_error where two measurements are in one cell.
Table layout_table(const Result& result, const Layout& layout);

inline constexpr size_t kPrintedText = 40;  // characters of a record's text in tables to read

// What is missing is "".
std::string exact_text(const RecordValue& value);

Table records_table(const Records& records, size_t longest_text);

// The layouts that have a row, then the records: where texts may be longer than kPrintedText, those
// that are not printed too. A note that the result or an earlier table has is left out.
std::vector<Table> result_tables(const Result& result, size_t longest_text);

// Throws std::logic_error where two measurements have the same keys and statistic. print() does.
void check_unique(const Result& result);

// The result's notes and its tables', each once.
std::vector<std::string> all_notes(const Result& result);

// {"title", "measurements": [{KEY: text, …, "statistic", "value", "low", "high", "confidence", "p",
// "p_holm", "p_is_bound", "p_holm_is_bound", "n", "why_missing", "resampled"}], "records": {NAME:
// [{COLUMN: value}]}, "notes", "signature"}. Members that do not apply are left out; "value" is
// null where it is undefined. "resampled" has six digits of each value: there are thousands of
// them.
Json to_json(const Result& result);

// One row a measurement, with exact numbers. The header is the same for every suite. A cell of what
// does not apply is empty.
std::string to_csv(const Result& result);

// The page of --report.
Report result_report(const Result& result, const std::string& command);

}  // namespace rubric::eval
