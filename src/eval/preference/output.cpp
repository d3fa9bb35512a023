#include "eval/preference/output.h"

#include <string>
#include <utility>

#include "eval/preference/preference_notes.h"

namespace rubric {
namespace {

std::string percent_text(std::optional<double> value, const std::optional<Interval>& interval) {
  constexpr int kDecimals = 1;
  if (!value || !interval) return "–";
  return format_fixed(*value, kDecimals) + " [" + format_fixed(interval->low, kDecimals) + ", " +
         format_fixed(interval->high, kDecimals) + "]";
}

void add_percents(const PreferenceShares& shares, std::vector<std::string>& row) {
  for (size_t i = 0; i < shares.counts.size(); ++i) {
    row.push_back(percent_text(shares.percent[i], shares.intervals[i]));
  }
}

Table case_table(const PreferenceEvaluation& evaluation) {
  Table table{
      "Which of two answers the judge prefers",
      {"case", "language", "A", "B", "Tie", "n", "invalid", "incomplete", "A %", "B %", "Tie %"},
      {},
      {Align::left, Align::left},
      case_notes(evaluation)};
  for (const PreferenceCase& one : evaluation.cases) {
    std::vector<std::string> row = {one.name, one.language};
    for (const int64_t count : one.preferred.counts) row.push_back(std::to_string(count));
    for (const int64_t count : {one.preferred.n(), one.invalid, one.incomplete}) {
      row.push_back(std::to_string(count));
    }
    add_percents(one.preferred, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> position_row(const std::string& name, const PositionBias& position) {
  std::vector<std::string> row = {name, std::to_string(position.shown.n())};
  add_percents(position.shown, row);
  row.push_back(percent_text(position.difference, position.interval));
  for (const int64_t count : {position.first_twice, position.second_twice, position.tie_once}) {
    row.push_back(std::to_string(count));
  }
  return row;
}

Table position_table(const PreferenceEvaluation& evaluation) {
  Table table{"Position bias",
              {"case", "replies", "first %", "second %", "tie %", "first - second", "first twice",
               "second twice", "tie once"},
              {},
              {Align::left},
              position_notes()};
  for (const PreferenceCase& one : evaluation.cases) {
    table.rows.push_back(position_row(one.name, one.position.value()));
  }
  table.rows.push_back(position_row("all", evaluation.position.value()));
  return table;
}

}  // namespace

std::vector<Table> preference_tables(const PreferenceEvaluation& evaluation) {
  std::vector<Table> tables = {case_table(evaluation)};
  if (evaluation.position) tables.push_back(position_table(evaluation));
  return tables;
}

}  // namespace rubric
