// What every suite returns: a tidy list of measurements, how tables and plots show them, and notes.
//
//   Result result{.title = "Means"};
//   result.measurements = {{.keys = {.metric = "f1", .system = "a"}, .statistic = "mean", .value =
//   0.8},
//                          {.keys = {.metric = "f1", .system = "b"}, .statistic = "mean", .value =
//                          0.7}};
//   result.tables = {{.title = "Means", .rows = {{"system", &Keys::system}},
//                     .columns = {{.statistics = {"mean"}, .across = &Keys::metric}}}};
//   std::cout << print(result, OutputFormat::text);
//
//   Means
//
//   system     f1
//   ------  -----
//   a       0.800
//   b       0.700
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rubric/export.h"
#include "rubric/output.h"
#include "rubric/statistics.h"

namespace rubric {

// What a measurement is of. A key that does not apply is "".
struct Keys {
  std::string metric = {};   // "f1", "lerc"; an aspect; "human"
  std::string system = {};   // whose answers
  std::string against = {};  // the second metric or system of a difference
  std::string group = {};    // a constituent, or the value of the field that groups the rows
  std::string source = {};   // who wrote the candidates, or who rated them
  std::string subset = {};   // a split, or which rows of the group: "unseen"
  std::string method = {};   // how an interval or p is made: "bootstrap", "permutation"
  std::string seed = {};     // of a training run

  bool operator==(const Keys&) const = default;
};

using Key = std::string Keys::*;

// In the order of CSV's columns.
inline constexpr std::pair<const char*, Key> kKeys[] = {
    {"metric", &Keys::metric}, {"system", &Keys::system}, {"against", &Keys::against},
    {"group", &Keys::group},   {"source", &Keys::source}, {"subset", &Keys::subset},
    {"method", &Keys::method}, {"seed", &Keys::seed},
};

// A row of the tidy table. {keys, statistic} is unique in a result: print() checks it.
struct Measurement {
  Keys keys = {};
  std::string statistic = {};        // "pearson", "accuracy", "difference", "count"
  std::optional<double> value = {};  // nothing: undefined
  std::optional<Interval> interval = {};
  std::optional<double> p = {}, p_holm = {};
  bool p_is_bound = false, p_holm_is_bound = false;  // the p is an upper bound
  std::optional<int64_t> n = {};                     // records behind the value
  double confidence = 0.95;                          // of the interval
  int digits = 4;  // of the value in NumberForm::significant, decimals in NumberForm::decimals
  std::string why_missing = {};  // why there is no value
  // The value in each bootstrap resample, where the request asks for them.
  std::vector<std::optional<double>> resampled = {};
};

// How tables print a number. CSV and JSON hold every number exactly. If all numbers of a cell are
// below 0.01 in fixed3, or below 0.001 in fixed4, they have three significant digits. So have
// numbers from ten million on in any fixed form. A count that is a mean has one decimal. percent1
// and percent2 print a share in percent with one or two decimals. A verdict is "reproduced" for 0,
// "above" for 1 and "below" for -1.
enum class NumberForm {
  fixed4,
  fixed3,
  fixed2,
  fixed1,
  percent1,
  percent2,
  count,
  significant,
  decimals,
  verdict
};

// What of a measurement a cell shows.
enum class CellPart { value, interval, p, p_holm, n };

// A key that names the rows of a table.
struct RowKey {
  std::string title = {};
  Key key;
  // The text of a row whose key is "". Without it such a row is not in this table. A user's text
  // that equals it is printed in quotes.
  std::optional<std::string> empty = {};
  std::vector<std::string> only = {};  // the rows' texts; empty: all
};

// The cells of a column. Its measurements have the row's keys, the table's, `keys` and no others.
struct Column {
  std::string title = {};                    // "": the value of `across`
  std::vector<std::string> statistics = {};  // several are shown as "a / b"
  Keys keys = {};                            // fixed
  Key across = nullptr;                      // a column for each value of this key
  Key any = nullptr;                         // the first measurement, whatever this key is
  CellPart part = CellPart::interval;        // the value with its interval
  NumberForm form = NumberForm::fixed3;
};

// A table: the rows are the values of the row keys, in the order of the measurements. A column of
// keys that are all "" is left out, and so is a column without measurements.
struct Layout {
  std::string title = {};
  std::vector<RowKey> rows = {};
  std::vector<Column> columns = {};
  Keys keys = {};                       // of every cell
  std::vector<std::string> notes = {};  // printed below
  bool is_folded = false;               // HTML shows the title until a reader unfolds it
};

// Named columns of texts, numbers and counts: rows that differ most, sheets, the rows behind
// points.
using RecordValue = std::variant<std::monostate, double, int64_t, std::string>;
struct Records {
  std::string name = {}, title = {};
  std::vector<std::string> columns = {};
  size_t key_columns = 1;  // the first, which name a row: each part of a wide table repeats them
  size_t size = 0;
  std::function<std::vector<RecordValue>(size_t row)> row = {};
  bool is_printed = true;  // below the tables; else in JSON and reports alone
  bool is_whole = false;   // long texts are not cut in tables
  int decimals = 3;        // of numbers in tables
};

// Pictures.

struct PlotPoint {
  double x = 0, y = 0;
  std::optional<Interval> interval = {};  // of x in a plot with names, else of y
  double radius = 4;                      // pixels; only circles differ
  std::string title = {};                 // shown where the pointer is over the point
  std::vector<uint32_t> rows = {};        // of Result::points, by number
};

enum class PlotStyle { points, line, line_and_points, circles };

struct PlotSeries {
  std::string name = {};  // in the key above the plot; "": not there
  std::vector<PlotPoint> points = {};
  PlotStyle style = PlotStyle::points;
  size_t colour = 0;  // of the page's palette, with the point's shape; repeats after seven
};

// A picture in a field of some width × height pixels, below the key.
struct Plot {
  std::string title = {}, description = {};  // the description is for who cannot see the picture
  int height = 300;
  std::string x_label = {}, y_label = {};
  std::vector<std::string> names =
      {};  // of 0, 1, … on the y axis, the first on top; empty: numbers
  std::vector<PlotSeries> series = {};
  bool starts_at_zero = false;  // the axis of values holds 0
  std::string drawing = {};     // instead of all these: SVG elements, trusted
};

// Values with their intervals as points on lines: a line for each row of the layout, a series for
// each of its columns.
struct IntervalPlot {
  Layout layout = {};
  std::string axis = {};                                        // what the values are
  std::function<std::vector<uint32_t>(const Keys&)> rows = {};  // of Result::points behind a value
  bool has_zero = false;                                        // the axis holds 0: differences
};

struct Result {
  std::string title = {};
  std::vector<Measurement> measurements = {};
  std::vector<Layout> tables = {};
  std::vector<Records> records = {};
  std::vector<IntervalPlot> interval_plots = {};
  std::vector<Plot> plots = {};
  Records points = {};  // the rows behind the plots' points
  std::vector<std::string> notes = {};
  std::vector<std::string> warnings = {};  // the notes that say why values may be wrong
  std::string signature = {};
  std::vector<std::string> inputs = {};  // the files read, which a report names
  std::string failure = {};  // what failed beside what is here: a program ends with exit code 1
};

// The result in one format, with a newline at its end: tables, all measurements as CSV, or
// everything as JSON. docs/results_format.md describes CSV and JSON, which are stable. Text fits
// into `width` columns of a terminal; 0: any.
RUBRIC_PUBLIC std::string print(const Result& result, OutputFormat format, size_t width = 0);

// The records as CSV with all digits, and a newline at its end.
RUBRIC_PUBLIC std::string records_csv(const Records& records);

// Writes tables and pictures as one HTML page, with the shell command that made it; "": without.
RUBRIC_PUBLIC void write_report(const Result& result, const std::filesystem::path& file,
                                const std::string& command = "");

}  // namespace rubric
