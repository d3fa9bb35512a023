#include <cstdint>
#include <string>
#include <utility>

#include "eval/preference/preference.h"
#include "eval/report/table.h"
#include "eval/resampling.h"

namespace rubric::eval {
namespace {

std::string percent_text(std::optional<double> value,
                         const std::optional<stats::Interval>& interval) {
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

using Names = std::array<const char*, 3>;
constexpr Names kAnswers = {"A", "B", "Tie"};
constexpr Names kPositions = {"first", "second", "tie"};

Json shares_json(const PreferenceShares& shares, const Names& names) {
  Json json, percents, intervals;
  for (size_t i = 0; i < names.size(); ++i) {
    json[names[i]] = shares.counts[i];
    percents[names[i]] = or_null(shares.percent[i]);
    intervals[names[i]] = or_null(shares.intervals[i]);
  }
  json["n"] = shares.n();
  json["percent"] = std::move(percents);
  json["ci95"] = std::move(intervals);
  return json;
}

Json position_json(const std::optional<PositionBias>& position) {
  if (!position) return {};
  Json json = shares_json(position->shown, kPositions);
  json["difference"] = or_null(position->difference);
  json["ci95"]["difference"] = or_null(position->interval);
  json["changed"] = Json::Object{{"first_twice", position->first_twice},
                                 {"second_twice", position->second_twice},
                                 {"tie_once", position->tie_once}};
  return json;
}

Json case_json(const PreferenceCase& one) {
  Json json = shares_json(one.preferred, kAnswers);
  json["invalid"] = one.invalid;
  json["incomplete"] = one.incomplete;
  json["position"] = position_json(one.position);
  json["language"] = one.language;
  return json;
}

// The rows of one case, or of all cases if it has no name.
struct ValueRows {
  std::string name;
  Table& table;

  void add(const std::string& statistic, int64_t count) {
    table.rows.push_back({name, statistic, std::to_string(count), "", ""});
  }
  void add(const std::string& statistic, std::optional<double> value,
           const std::optional<stats::Interval>& interval) {
    const auto text = [](double number) { return Json(number).number_text(); };
    table.rows.push_back({name, statistic, value ? text(*value) : "",
                          interval ? text(interval->low) : "",
                          interval ? text(interval->high) : ""});
  }
  void add(const PreferenceShares& shares, const Names& names, const std::string& prefix) {
    for (size_t i = 0; i < names.size(); ++i) add(prefix + names[i], shares.counts[i]);
    add(prefix + "n", shares.n());
    for (size_t i = 0; i < names.size(); ++i) {
      add(prefix + names[i] + "_percent", shares.percent[i], shares.intervals[i]);
    }
  }
  void add(const std::optional<PositionBias>& position) {
    if (!position) return;
    add(position->shown, kPositions, "position_");
    add("position_difference", position->difference, position->interval);
    add("position_first_twice", position->first_twice);
    add("position_second_twice", position->second_twice);
    add("position_tie_once", position->tie_once);
  }
};

}  // namespace

std::vector<Table> preference_tables(const PreferenceEvaluation& evaluation) {
  std::vector<Table> tables = {case_table(evaluation)};
  if (evaluation.position) tables.push_back(position_table(evaluation));
  return tables;
}

std::vector<std::string> case_notes(const PreferenceEvaluation& evaluation) {
  const bool in_both_orders = evaluation.position.has_value();
  const bool by_question = evaluation.questions < evaluation.pairs;
  std::vector<std::string> notes = {
      std::string("A, B: on how many pairs the judge prefers answer_a or answer_b") +
          (in_both_orders ? ", in both orders; Tie: neither, or not the same one in both"
                          : "; Tie: neither"),
      "95% intervals of " + std::to_string(evaluation.bootstrap.resamples) +
          " bootstrap resamples" +
          (by_question ? " of the questions, all pairs of one together" : " of the pairs")};
  int64_t invalid = 0, incomplete = 0;
  for (const PreferenceCase& one : evaluation.cases) {
    invalid += one.invalid;
    incomplete += one.incomplete;
  }
  add_count("Pairs with a reply that holds no preference (invalid), left out", invalid, notes);
  add_count("Pairs that the ledger has in one order alone (incomplete), left out", incomplete,
            notes);
  if (!in_both_orders) {
    notes.emplace_back(
        "Every pair is asked in one order, so it is unknown whether the order matters");
  }
  return notes;
}

std::vector<std::string> position_notes() {
  return {
      "first, second: how often the judge prefers the answer shown first or second, of two replies "
      "a pair; a judge without bias has a difference of 0",
      "twice: pairs in which it prefers the answer shown first (or second) in both orders; tie "
      "once: in one order alone"};
}

std::vector<std::string> preference_notes(const PreferenceEvaluation& evaluation) {
  std::vector<std::string> notes = case_notes(evaluation);
  if (!evaluation.position) return notes;
  for (std::string& note : position_notes()) notes.push_back(std::move(note));
  return notes;
}

Json to_json(const PreferenceEvaluation& evaluation) {
  Json json, cases{Json::Object()};
  for (const PreferenceCase& one : evaluation.cases) cases[one.name] = case_json(one);
  json["cases"] = std::move(cases);
  json["position"] = position_json(evaluation.position);
  const std::vector<std::string> notes = preference_notes(evaluation);
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

Table preference_value_table(const PreferenceEvaluation& evaluation) {
  Table table{"", {"name", "figure", "value", "low", "high"}, {}, {}, {}};
  for (const PreferenceCase& one : evaluation.cases) {
    ValueRows rows{one.name, table};
    rows.add(one.preferred, kAnswers, "");
    rows.add("invalid", one.invalid);
    rows.add("incomplete", one.incomplete);
    rows.add(one.position);
  }
  ValueRows{"", table}.add(evaluation.position);
  return table;
}

std::string preference_signature(const judge::Ledger& ledger,
                                 const PreferenceEvaluation& evaluation,
                                 const std::string& language) {
  std::string signature = "preference|" + judge::ledger_signature(ledger) +
                          "|orders:" + (evaluation.position ? "both" : "one");
  if (!language.empty()) signature += "|language:" + signature_text(language);
  return signature + signature_end(evaluation.bootstrap);
}

SuiteOutput preference_output(const PreferenceEvaluation& evaluation,
                              const std::string& signature) {
  SuiteOutput output;
  output.report.title = "Which of two answers a judge prefers";
  output.report.tables = preference_tables(evaluation);
  output.report.signatures = {signature};
  output.json = to_json(evaluation);
  output.json["signature"] = signature;
  output.values = preference_value_table(evaluation);
  output.notes = preference_notes(evaluation);
  return output;
}

}  // namespace rubric::eval
