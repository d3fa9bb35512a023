#include "eval/result/render.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/utf8.h"
#include "data/rows/csv.h"
#include "eval/report/plots.h"
#include "stats/significance.h"

namespace rubric::eval {
namespace {

using RowTexts = std::vector<std::string>;  // the keys that name a row

// `keys` with what `fixed` names.
Keys with(Keys keys, const Keys& fixed) {
  for (const auto& [name, key] : kKeys) {
    if (!(fixed.*key).empty()) keys.*key = fixed.*key;
  }
  return keys;
}

bool names_rows(const Layout& layout, Key key) {
  return std::ranges::count(layout.rows, key, &RowKey::key) > 0;
}

// Whether a cell of the column shows the measurement.
bool is_shown(const Layout& layout, const Column& column, const Measurement& measurement) {
  if (std::ranges::count(column.statistics, measurement.statistic) == 0) return false;
  const Keys fixed = with(layout.keys, column.keys);
  for (const auto& [name, key] : kKeys) {
    const std::string& text = measurement.keys.*key;
    const bool is_free = (fixed.*key).empty() && (names_rows(layout, key) || key == column.any);
    if (is_free) continue;
    if (key == column.across ? text.empty() : text != fixed.*key) return false;
  }
  return std::ranges::none_of(layout.rows, [&](const RowKey& row) {
    const std::string& text = measurement.keys.*row.key;
    return (!row.empty && text.empty()) ||
           (!row.only.empty() && std::ranges::count(row.only, text) == 0);
  });
}

RowTexts row_of(const Layout& layout, const Measurement& measurement) {
  RowTexts row;
  for (const RowKey& key : layout.rows) row.push_back(measurement.keys.*key.key);
  return row;
}

// What a row says of a key. A user's text that equals the label of rows without the key is quoted.
std::string row_label(const RowKey& key, const std::string& text) {
  const std::string label = key.empty.value_or("");
  if (text.empty()) return label;
  return text == label ? json_quote(text) : text;
}

// A layout's column with one value of `across`, and its measurements by row and statistic.
struct PlacedColumn {
  const Column* column;
  std::string across;
  std::map<std::pair<RowTexts, std::string>, const Measurement*> cells = {};

  const Measurement* find(const RowTexts& row, const std::string& statistic) const {
    const auto found = cells.find({row, statistic});
    return found == cells.end() ? nullptr : found->second;
  }
  std::string title() const { return column->title.empty() ? across : column->title; }
};

// A layout's rows and columns, in the order of the measurements; of groups the first kMostGroups.
struct Placed {
  std::vector<RowTexts> rows;
  std::set<RowTexts> has_row;
  std::vector<PlacedColumn> columns;
  std::set<std::string> groups, shown_groups;
};

// Whether the measurement's rows are shown. Notes its group.
bool has_shown_group(const Layout& layout, const Measurement& measurement, Placed& placed) {
  const std::string& group = measurement.keys.group;
  if (group.empty() || !names_rows(layout, &Keys::group)) return true;
  placed.groups.insert(group);
  if (placed.shown_groups.size() < kMostGroups) placed.shown_groups.insert(group);
  return placed.shown_groups.contains(group);
}

void place(const Measurement& measurement, const Layout& layout, const Column& column,
           Placed& placed) {
  const RowTexts row = row_of(layout, measurement);
  if (placed.has_row.insert(row).second) placed.rows.push_back(row);
  const std::string across = column.across == nullptr ? "" : measurement.keys.*column.across;
  auto found = std::ranges::find_if(placed.columns, [&](const PlacedColumn& one) {
    return one.column == &column && one.across == across;
  });
  if (found == placed.columns.end()) {
    found = placed.columns.insert(placed.columns.end(), {&column, across});
  }
  const auto [cell, is_new] =
      found->cells.emplace(std::pair(row, measurement.statistic), &measurement);
  if (is_new || column.any != nullptr) return;
  throw std::logic_error("two measurements of " + measurement.statistic + " in one cell of \"" +
                         layout.title + "\"");
}

Placed place_all(const Result& result, const Layout& layout) {
  Placed placed;
  for (const Measurement& measurement : result.measurements) {
    for (const Column& column : layout.columns) {
      if (is_shown(layout, column, measurement) && has_shown_group(layout, measurement, placed)) {
        place(measurement, layout, column, placed);
      }
    }
  }
  std::ranges::stable_sort(placed.columns, {}, &PlacedColumn::column);
  return placed;
}

std::string number_text(double value, NumberForm form, int digits) {
  constexpr std::array kDecimals = {4, 3, 2, 1, 1, 2};  // of the first forms, up to percent2
  if (form <= NumberForm::percent2) {
    const double factor = form >= NumberForm::percent1 ? 100 : 1;
    return format_fixed(factor * value, kDecimals.at(static_cast<size_t>(form)));
  }
  if (form == NumberForm::count) return format_fixed(value, value == std::floor(value) ? 0 : 1);
  if (form == NumberForm::significant) return format_significant(value, digits);
  if (form == NumberForm::decimals) return format_fixed(value, digits);
  return value == 0 ? "reproduced" : value > 0 ? "above" : "below";
}

// How the numbers of a cell are printed.
struct CellForm {
  NumberForm form;
  int digits;

  std::string text(double value) const { return number_text(value, form, digits); }
};

// Three decimals show at most one digit of a value below 0.01, four of one below 0.001, and from
// ten million on digits that nobody reads: numbers of such a cell have three significant digits.
// Rounding errors are 0.
CellForm cell_form(const Measurement& one, const Column& column) {
  constexpr double kRounding = 1e-15, kMost = 1e7;
  double size = std::abs(one.value.value_or(0));
  if (one.interval && column.part == CellPart::interval) {
    size = std::max({size, std::abs(one.interval->low), std::abs(one.interval->high)});
  }
  const NumberForm form = column.form;
  const double least = form == NumberForm::fixed4 ? 0.001 : form == NumberForm::fixed3 ? 0.01 : 0;
  const bool is_fixed = form <= NumberForm::fixed1;
  const bool is_small = size < least && size > kRounding;
  if (is_fixed && (is_small || size >= kMost)) return {NumberForm::significant, 3};
  return {form, one.digits};
}

std::string part_text(const Measurement& measurement, const Column& column) {
  const auto p_text = [](std::optional<double> p, bool is_bound) {
    return p ? p_cell(*p, is_bound) : "–";
  };
  switch (column.part) {
    case CellPart::p:
      return p_text(measurement.p, measurement.p_is_bound);
    case CellPart::p_holm:
      return p_text(measurement.p_holm, measurement.p_holm_is_bound);
    case CellPart::n:
      return measurement.n ? std::to_string(*measurement.n) : "–";
    case CellPart::value:
    case CellPart::interval:
      break;
  }
  if (!measurement.value) return "–";
  const CellForm form = cell_form(measurement, column);
  const std::string text = form.text(*measurement.value);
  if (column.part == CellPart::value || !measurement.interval) return text;
  return text + " [" + form.text(measurement.interval->low) + ", " +
         form.text(measurement.interval->high) + "]";
}

// Whether the printed ends of the interval are equal, though it is not of a count.
bool looks_certain(const Measurement& measurement, const Column& column) {
  if (!measurement.value || !measurement.interval || column.part != CellPart::interval ||
      column.form == NumberForm::count) {
    return false;
  }
  const CellForm form = cell_form(measurement, column);
  return form.text(measurement.interval->low) == form.text(measurement.interval->high);
}

void add_cell(const PlacedColumn& placed, const RowTexts& row, Table& table) {
  const Column& column = *placed.column;
  const bool has_one = column.statistics.size() == 1;
  std::string text;
  CellNumbers numbers;
  for (const std::string& statistic : column.statistics) {
    const Measurement* const one = placed.find(row, statistic);
    if (!text.empty()) text += " / ";
    if (one == nullptr) {
      text += has_one ? "" : "–";
      continue;
    }
    text += part_text(*one, column);
    if (!has_one || column.part != CellPart::interval || !one->value) continue;
    numbers = {one->value, one->interval, one->n};
    table.has_certain_interval |= looks_certain(*one, column);
  }
  table.rows.back().push_back(std::move(text));
  table.numbers.back().push_back(numbers);
}

std::string csv_line(std::span<const std::string> cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + data::csv_field(cells[i]);
  return line + "\n";
}

std::string value_text(const RecordValue& value, int decimals = 3) {
  if (const auto* const number = std::get_if<double>(&value)) return cell(*number, decimals);
  if (const auto* const count = std::get_if<int64_t>(&value)) return std::to_string(*count);
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

Json value_json(const RecordValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const count = std::get_if<int64_t>(&value)) return *count;
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? Json() : Json(repair_utf8(*text));
}

bool is_text(const RecordValue& value) {
  return std::holds_alternative<std::string>(value);
}

Json measurement_json(const Measurement& one) {
  Json json{Json::Object()};
  for (const auto& [name, key] : kKeys) {
    if (!(one.keys.*key).empty()) json[name] = one.keys.*key;
  }
  json["statistic"] = one.statistic;
  json["value"] = or_null(one.value);
  if (one.interval) {
    json["low"] = one.interval->low;
    json["high"] = one.interval->high;
    json["confidence"] = one.confidence;
  }
  if (one.p) {
    json["p"] = *one.p;
    json["p_is_bound"] = one.p_is_bound;
  }
  if (one.p_holm) {
    json["p_holm"] = *one.p_holm;
    json["p_holm_is_bound"] = one.p_holm_is_bound;
  }
  if (one.n) json["n"] = *one.n;
  if (!one.why_missing.empty()) json["why_missing"] = one.why_missing;
  if (!one.resampled.empty()) {
    Json::Array values;
    for (const std::optional<double>& value : one.resampled) {
      values.push_back(value ? Json::exact_number(*value, p_number(*value)) : Json());
    }
    json["resampled"] = std::move(values);
  }
  return json;
}

Json records_json(const Records& records) {
  Json::Array rows;
  for (size_t row = 0; row < records.size; ++row) {
    Json json{Json::Object()};
    const std::vector<RecordValue> values = records.row(row);
    for (size_t column = 0; column < values.size(); ++column) {
      if (value_text(values[column]).empty()) continue;
      json[records.columns[column]] = value_json(values[column]);
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

// "drop, r: 0.123 [0.100, 0.150], n = 12"
std::string point_title(const std::string& series, const std::string& name,
                        const Measurement& one) {
  std::string title = series + (series.empty() || name.empty() ? "" : ", ") + name;
  title += (title.empty() ? "" : ": ") + cell(one.value, one.interval);
  return one.n.value_or(0) > 0 ? title + ", n = " + std::to_string(*one.n) : title;
}

}  // namespace

Measurement count_of(const Keys& keys, const std::string& statistic, int64_t count) {
  return {.keys = keys, .statistic = statistic, .value = static_cast<double>(count)};
}

Measurement& Adder::operator()(const std::string& statistic, std::optional<double> value,
                               const std::optional<Interval>& interval) const {
  return to.emplace_back(Measurement{.keys = keys,
                                     .statistic = statistic,
                                     .value = value,
                                     .interval = interval,
                                     .n = n,
                                     .why_missing = value ? "" : why_missing});
}

void Adder::counts(std::initializer_list<std::pair<const char*, int64_t>> counts) const {
  for (const auto& [statistic, count] : counts) to.push_back(count_of(keys, statistic, count));
}

Column counts_column(const std::string& title, const std::string& statistic) {
  return {.title = title, .statistics = {statistic}, .form = NumberForm::count};
}

HolmFamily method_and_subset(const Measurement& test) {
  return {test.keys.method, test.keys.subset};
}

std::map<HolmFamily, size_t> add_holm(std::span<Measurement> measurements,
                                      HolmFamily (*family_of)(const Measurement&)) {
  std::map<HolmFamily, std::vector<Measurement*>> families;
  std::vector<const Measurement*> of_all;
  for (const Measurement& one : measurements) {
    if (one.p && one.keys.group.empty()) of_all.push_back(&one);
  }
  std::vector<std::pair<Measurement*, const Measurement*>> whole;  // a group's, and all records'
  for (Measurement& one : measurements) {
    if (!one.p) continue;
    Keys keys = one.keys;
    keys.group = "";
    const auto all = std::ranges::find_if(of_all, [&](const Measurement* other) {
      return other != &one && one.n && other->n == one.n && other->statistic == one.statistic &&
             other->keys == keys;
    });
    if (all == of_all.end()) {
      families[family_of(one)].push_back(&one);
    } else {
      whole.emplace_back(&one, *all);
    }
  }
  std::map<HolmFamily, size_t> counts;
  for (const auto& [family, tests] : families) {
    std::vector<stats::PValue> values;
    for (const Measurement* test : tests) values.push_back({*test->p, test->p_is_bound});
    const std::vector<stats::PValue> corrected = stats::holm(values);
    for (size_t i = 0; i < tests.size(); ++i) {
      tests[i]->p_holm = corrected[i].p;
      tests[i]->p_holm_is_bound = corrected[i].is_least;
    }
    counts[family] = tests.size();
  }
  for (const auto& [of_group, all] : whole) {
    of_group->p_holm = all->p_holm;
    of_group->p_holm_is_bound = all->p_holm_is_bound;
  }
  return counts;
}

const Measurement* find_difference(std::span<const Measurement> measurements, const Keys& keys,
                                   Key key) {
  Keys swapped = keys;
  std::swap(swapped.*key, swapped.against);
  const auto found = std::ranges::find_if(measurements, [&](const Measurement& one) {
    return one.statistic == "difference" && (one.keys == keys || one.keys == swapped);
  });
  return found == measurements.end() ? nullptr : &*found;
}

std::string best_note(std::span<const Measurement> measurements, const Keys& keys, Key key,
                      std::span<const std::string> all, const std::set<std::string>& best,
                      const std::string& value, const std::string& extreme) {
  constexpr double kLevel = 0.05;
  std::vector<std::string> names, similar, undecided;
  for (const std::string& one : all) {
    if (best.contains(one)) names.push_back(one);
  }
  if (names.size() == all.size()) return join(names) + " have the same " + value;
  Keys pair = keys;
  for (const std::string& first : names) {
    for (const std::string& other : all) {
      if (best.contains(other)) continue;
      pair.*key = first;
      pair.against = other;
      const Measurement* const test = find_difference(measurements, pair, key);
      if (test != nullptr && test->p_holm && *test->p_holm < kLevel) continue;
      add_once(other, test != nullptr && test->p_holm_is_bound ? undecided : similar);
    }
  }
  std::string note =
      join(names) + (names.size() == 1 ? " has" : " have") + " the " + extreme + " " + value;
  if (!similar.empty()) note += "; the difference is not significant at 0.05 for " + join(similar);
  if (!undecided.empty()) {
    note += "; too few permutations were drawn to test the difference for " + join(undecided);
  }
  if (!similar.empty() || !undecided.empty()) return note;
  return note + "; the difference to every other " + (key == &Keys::system ? "system" : "metric") +
         " is significant at 0.05";
}

Plot interval_plot(const Result& result, const IntervalPlot& plot) {
  constexpr int kAxis = 60, kName = 12, kBar = 14;  // pixels
  const Placed placed = place_all(result, plot.layout);
  Plot drawn{.title = plot.layout.title,
             .description = "Points with 95% intervals; the table above holds the same values.",
             .x_label = plot.axis,
             .starts_at_zero = plot.has_zero};
  for (const RowTexts& row : placed.rows) {
    std::vector<std::string> names;
    for (size_t k = 0; k < row.size(); ++k) {
      names.push_back(row_label(plot.layout.rows[k], row[k]));
    }
    std::erase(names, "");
    drawn.names.push_back(join(names, " – "));
  }
  const size_t count = placed.columns.size();
  drawn.height =
      kAxis + static_cast<int>(drawn.names.size()) * (kName + kBar * static_cast<int>(count));
  for (size_t s = 0; s < count; ++s) {
    const PlacedColumn& column = placed.columns[s];
    const double offset = (static_cast<double>(s) + 0.5) / static_cast<double>(count) - 0.5;
    PlotSeries series{count > 1 ? column.title() : "", {}, PlotStyle::points, s};
    for (size_t i = 0; i < placed.rows.size(); ++i) {
      const Measurement* const one = column.find(placed.rows[i], column.column->statistics.front());
      if (one == nullptr || !one->value) continue;
      PlotPoint point{*one->value, static_cast<double>(i) + 0.8 * offset, one->interval};
      point.title = point_title(column.title(), drawn.names[i], *one);
      if (plot.rows) point.rows = plot.rows(one->keys);
      series.points.push_back(std::move(point));
    }
    drawn.series.push_back(std::move(series));
  }
  return drawn;
}

Records held_records(Records records, RecordRows rows) {
  records.size = rows.size();
  records.row = [rows = std::move(rows)](size_t row) { return rows[row]; };
  return records;
}

Table layout_table(const Result& result, const Layout& layout) {
  Table table{layout.title, {}, {}, {}, layout.notes};
  table.is_folded = layout.is_folded;
  const Placed placed = place_all(result, layout);
  std::vector<size_t> shown_keys;
  for (size_t k = 0; k < layout.rows.size(); ++k) {
    const auto is_empty = [&](const RowTexts& row) { return row[k].empty(); };
    if (std::ranges::all_of(placed.rows, is_empty)) continue;
    shown_keys.push_back(k);
    table.header.push_back(layout.rows[k].title);
    table.alignment.push_back(Align::left);
  }
  table.key_columns = table.header.size();
  if (const std::string note = groups_note(placed.groups.size()); !note.empty()) {
    table.notes.push_back(note);
  }
  for (const PlacedColumn& column : placed.columns) table.header.push_back(column.title());
  for (const RowTexts& row : placed.rows) {
    table.rows.emplace_back();
    table.numbers.emplace_back(shown_keys.size());
    for (const size_t k : shown_keys) {
      table.rows.back().push_back(row_label(layout.rows[k], row[k]));
    }
    for (const PlacedColumn& column : placed.columns) add_cell(column, row, table);
  }
  return table;
}

std::string exact_text(const RecordValue& value) {
  const auto* const number = std::get_if<double>(&value);
  return number == nullptr ? value_text(value) : format_exact(*number);
}

Table records_table(const Records& records, size_t longest_text) {
  Table table{records.title, {}, std::vector<std::vector<std::string>>(records.size), {}, {}};
  table.key_columns = 0;
  if (records.is_whole) longest_text = SIZE_MAX;
  std::vector<std::vector<RecordValue>> rows;
  for (size_t row = 0; row < records.size; ++row) rows.push_back(records.row(row));
  for (size_t column = 0; column < records.columns.size(); ++column) {
    const auto has_any = [&](auto is_one) {
      return std::ranges::any_of(rows, [&](const auto& row) { return is_one(row[column]); });
    };
    if (!has_any([](const RecordValue& value) { return !value_text(value).empty(); })) continue;
    if (column < records.key_columns) ++table.key_columns;
    table.header.push_back(records.columns[column]);
    table.alignment.push_back(has_any(is_text) ? Align::left : Align::right);
    for (size_t row = 0; row < rows.size(); ++row) {
      const RecordValue& value = rows[row][column];
      table.rows[row].push_back(is_text(value) ? first_characters(value_text(value), longest_text)
                                               : value_text(value, records.decimals));
    }
  }
  table.numbers.assign(table.rows.size(), std::vector<CellNumbers>(table.header.size()));
  return table;
}

std::vector<Table> result_tables(const Result& result, size_t longest_text) {
  std::vector<Table> tables;
  std::set<std::string> printed(result.notes.begin(), result.notes.end());
  for (const Layout& layout : result.tables) {
    Table table = layout_table(result, layout);
    if (table.rows.empty()) continue;
    std::erase_if(table.notes,
                  [&](const std::string& note) { return !printed.insert(note).second; });
    tables.push_back(std::move(table));
  }
  const auto certain = std::ranges::find(tables, true, &Table::has_certain_interval);
  if (certain != tables.end()) certain->notes.emplace_back(kNoWidthNote);
  for (const Records& records : result.records) {
    if (records.size > 0 && (records.is_printed || longest_text > kPrintedText)) {
      tables.push_back(records_table(records, longest_text));
    }
  }
  return tables;
}

void check_unique(const Result& result) {
  std::unordered_set<std::string> found;
  for (const Measurement& one : result.measurements) {
    std::string name = "statistic=" + one.statistic;
    for (const auto& [key_name, key] : kKeys) {
      if (!(one.keys.*key).empty())
        name += std::string(", ") + key_name + "=" + json_quote(one.keys.*key);
    }
    if (!found.insert(name).second) throw std::logic_error("two measurements have " + name);
  }
}

std::vector<std::string> all_notes(const Result& result) {
  std::vector<std::string> notes;
  std::set<std::string> found;
  const auto add = [&](const std::vector<std::string>& some) {
    for (const std::string& note : some) {
      if (found.insert(note).second) notes.push_back(note);
    }
  };
  add(result.notes);
  for (const Layout& layout : result.tables) add(layout.notes);
  return notes;
}

Json to_json(const Result& result) {
  Json json;
  json["title"] = result.title;
  Json::Array measurements;
  for (const Measurement& one : result.measurements) measurements.push_back(measurement_json(one));
  json["measurements"] = std::move(measurements);
  for (const Records& one : result.records) json["records"][one.name] = records_json(one);
  Json::Array notes;
  for (const std::string& note : all_notes(result)) notes.emplace_back(repair_utf8(note));
  json["notes"] = std::move(notes);
  json["signature"] = result.signature;
  return json;
}

std::string to_csv(const Result& result) {
  std::vector<std::string> cells;
  for (const auto& [name, key] : kKeys) cells.emplace_back(name);
  for (const char* name : {"statistic", "value", "low", "high", "confidence", "p", "p_holm",
                           "p_is_bound", "p_holm_is_bound", "n", "why_missing"}) {
    cells.emplace_back(name);
  }
  std::string csv = csv_line(cells);
  const auto text = [](std::optional<double> value) { return value ? format_exact(*value) : ""; };
  for (const Measurement& one : result.measurements) {
    cells.clear();
    for (const auto& [name, key] : kKeys) cells.push_back(one.keys.*key);
    const auto end = [&](double Interval::*side) {
      return one.interval ? format_exact(*one.interval.*side) : "";
    };
    cells.insert(
        cells.end(),
        {one.statistic, text(one.value), end(&Interval::low), end(&Interval::high),
         one.interval ? format_exact(one.confidence) : "", text(one.p), text(one.p_holm),
         one.p ? boolean(one.p_is_bound) : "", one.p_holm ? boolean(one.p_holm_is_bound) : "",
         one.n ? std::to_string(*one.n) : "", one.why_missing});
    csv += csv_line(cells);
  }
  return csv;
}

Report result_report(const Result& result, const std::string& command) {
  constexpr size_t kReportText = 300;
  Report report;
  report.title = result.title;
  report.paragraphs = result.notes;
  if (!result.inputs.empty()) report.paragraphs.push_back("Data: " + join(result.inputs));
  report.tables = result_tables(result, kReportText);
  if (!report.tables.empty() && report.tables.front().title == result.title) {
    report.tables.front().title.clear();  // the page's title says it
  }
  for (const IntervalPlot& plot : result.interval_plots)
    report.plots.push_back(interval_plot(result, plot));
  report.plots.insert(report.plots.end(), result.plots.begin(), result.plots.end());
  report.signatures = {result.signature};
  report.command = command;
  report.rows.header = result.points.columns;
  if (!result.points.row) return report;
  report.rows.cells = [&result](uint32_t row) {
    std::vector<std::string> cells;
    for (const RecordValue& value : result.points.row(row)) cells.push_back(value_text(value));
    return cells;
  };
  return report;
}

}  // namespace rubric::eval

namespace rubric {

std::string print(const Result& result, OutputFormat format, size_t width) {
  eval::check_unique(result);
  if (format == OutputFormat::json) return eval::to_json(result).dump(2) + "\n";
  if (format == OutputFormat::csv) return eval::to_csv(result);
  std::vector<eval::Table> tables = eval::result_tables(result, eval::kPrintedText);
  if (!tables.empty()) {
    std::vector<std::string>& notes = tables.front().notes;
    notes.insert(notes.begin(), result.notes.begin(), result.notes.end());
  }
  return eval::print_tables(tables, format, width);
}

std::string records_csv(const Records& records) {
  std::string csv = eval::csv_line(records.columns);
  for (size_t row = 0; row < records.size; ++row) {
    std::vector<std::string> cells;
    for (const RecordValue& value : records.row(row)) cells.push_back(eval::exact_text(value));
    csv += eval::csv_line(cells);
  }
  return csv;
}

void write_report(const Result& result, const std::filesystem::path& file,
                  const std::string& command) {
  write_file(file, eval::to_html(eval::result_report(result, command)));
}

}  // namespace rubric
