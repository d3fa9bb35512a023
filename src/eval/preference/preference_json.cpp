#include "eval/preference/preference_json.h"

#include <string>
#include <utility>

#include "eval/report/figures.h"
#include "eval/preference/preference_notes.h"

namespace rubric {
namespace {

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

// The rows of one case, or of all where it has no name.
struct FigureRows {
  std::string name;
  Table& table;

  void add(const std::string& figure, int64_t count) {
    table.rows.push_back({name, figure, std::to_string(count), "", ""});
  }
  void add(const std::string& figure, std::optional<double> value,
           const std::optional<Interval>& interval) {
    const auto text = [](double number) { return Json(number).number_text(); };
    table.rows.push_back({name, figure, value ? text(*value) : "",
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

Json to_json(const PreferenceEvaluation& evaluation) {
  Json json, cases{Json::Object()};
  for (const PreferenceCase& one : evaluation.cases) cases[one.name] = case_json(one);
  json["cases"] = std::move(cases);
  json["position"] = position_json(evaluation.position);
  const std::vector<std::string> notes = preference_notes(evaluation);
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

Table preference_figure_list(const PreferenceEvaluation& evaluation) {
  Table table{"", {"name", "figure", "value", "low", "high"}, {}, {}, {}};
  for (const PreferenceCase& one : evaluation.cases) {
    FigureRows rows{one.name, table};
    rows.add(one.preferred, kAnswers, "");
    rows.add("invalid", one.invalid);
    rows.add("incomplete", one.incomplete);
    rows.add(one.position);
  }
  FigureRows{"", table}.add(evaluation.position);
  return table;
}

}  // namespace rubric
