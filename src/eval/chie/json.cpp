#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "eval/chie/chie.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

void add_aspects(const std::array<int64_t, judge::kAspects.size()>& agreed, Json& json) {
  for (size_t i = 0; i < judge::kAspects.size(); ++i) json[judge::kAspects[i]] = agreed[i];
}

Json system_json(const ChieSystem& system, const ChieWords& words) {
  Json json;
  add_aspects(system.agreed, json);
  json["n"] = system.n();
  json["invalid"] = system.invalid;
  json["f1"] = words.f1;
  json["em"] = words.em;
  json["bertscore"] = or_null(system.bertscore);
  json["mean_length"] = words.mean_length;
  json["language"] = system.language;
  return json;
}

Json majority_json(const MajorityCounts& counts) {
  Json json;
  json["n"] = counts.n;
  add_aspects(counts.agreed, json);
  for (size_t i = 0; i < judge::kAspects.size(); ++i) {
    json[std::string("ties_") + judge::kAspects[i]] = counts.ties[i];
  }
  return json;
}

std::vector<MajorityCounts> majority_rows(const ChieResults& results) {
  if (!results.agreements) return {};
  return majority_counts(results.agreements->assessments);
}

Json tercile_json(const ChieTercile& tercile) {
  Json json;
  json["name"] = tercile.name;
  json["n"] = tercile.n;
  json["lowest"] = tercile.lowest;
  json["highest"] = tercile.highest;
  add_aspects(tercile.agreed, json);
  json["undecided"] = tercile.undecided;
  json["tied"] = tercile.tied;
  json["mean_length"] = tercile.mean_length;
  return json;
}

// The JSON keys of YesNoCounts, in order.
using CountKeys = std::array<const char*, 4>;
constexpr CountKeys kGoldKeys = {"tp", "fp", "fn", "tn"},
                    kJudgeKeys = {"both", "first_only", "second_only", "neither"};

std::array<int64_t, 4> values_of(const stats::YesNoCounts& counts) {
  return {counts.both, counts.first_only, counts.second_only, counts.neither};
}

void add_groups(const ChieAgreement& agreement, std::span<const AgreementStatistic> statistics,
                const CountKeys& keys, Json& json) {
  for (size_t group = 0; group < kAspectGroups; ++group) {
    const AgreementOf& of = agreement.groups[group];
    Json values, intervals, undefined;
    values["n"] = of.counts.n();
    const std::array<int64_t, 4> counts = values_of(of.counts);
    for (size_t i = 0; i < counts.size(); ++i) values[keys[i]] = counts[i];
    for (size_t i = 0; i < statistics.size(); ++i) {
      values[statistics[i].key] = or_null(of.values[i]);
      intervals[statistics[i].key] = or_null(of.intervals[i]);
      undefined[statistics[i].key] = of.undefined[i];
    }
    values["ci95"] = std::move(intervals);
    values["undefined"] = std::move(undefined);
    json[aspect_group(group)] = std::move(values);
  }
}

Json gold_json(const ChieAgreement& agreement) {
  Json json;
  json["truth"] = agreement.second;
  json["answers"] = agreement.n;
  json["questions"] = agreement.questions;
  json["invalid"] = agreement.invalid[0];
  add_groups(agreement, kGoldStatistics, kGoldKeys, json);
  return json;
}

Json judges_json(const ChieAgreement& agreement) {
  Json json;
  json["first"] = agreement.first;
  json["second"] = agreement.second;
  json["answers"] = agreement.n;
  json["questions"] = agreement.questions;
  json["invalid"] = Json::Array(agreement.invalid.begin(), agreement.invalid.end());
  add_groups(agreement, kJudgeStatistics, kJudgeKeys, json);
  return json;
}

Json disagreement_json(const ParserDisagreement& one) {
  return Json::Object{{"system", one.system},
                      {"language", one.language},
                      {"id", one.id},
                      {"published", judge::to_json(one.published)},
                      {"strict", judge::to_json(one.strict)}};
}

template <class Items, class ToJson>
Json array_of(const Items& items, const ToJson& to_json) {
  Json::Array array;
  for (const auto& item : items) array.push_back(to_json(item));
  return array;
}

void list_agreements(const std::vector<ChieAgreement>& agreements,
                     std::span<const AgreementStatistic> statistics, const CountKeys& keys,
                     const std::string& prefix, Table& table) {
  const auto text = [](double value) { return Json(value).number_text(); };
  for (const ChieAgreement& agreement : agreements) {
    const std::string name = agreement.first + " / " + agreement.second;
    const auto add_count = [&](const std::string& statistic, int64_t count) {
      table.rows.push_back({name, prefix + statistic, std::to_string(count), "", ""});
    };
    add_count("answers", agreement.n);
    add_count("questions", agreement.questions);
    add_count("invalid_first", agreement.invalid[0]);
    add_count("invalid_second", agreement.invalid[1]);
    for (size_t group = 0; group < kAspectGroups; ++group) {
      const AgreementOf& of = agreement.groups[group];
      const std::string begin = std::string(aspect_group(group)) + "_";
      add_count(begin + "n", of.counts.n());
      const std::array<int64_t, 4> counts = values_of(of.counts);
      for (size_t i = 0; i < counts.size(); ++i) add_count(begin + keys[i], counts[i]);
      for (size_t i = 0; i < statistics.size(); ++i) {
        const std::optional<double>& value = of.values[i];
        const std::optional<stats::Interval>& interval = of.intervals[i];
        table.rows.push_back({name, prefix + begin + statistics[i].key, value ? text(*value) : "",
                              interval ? text(interval->low) : "",
                              interval ? text(interval->high) : ""});
      }
    }
  }
}

void list_numbers(const std::string& name, const std::string& prefix, const Json& statistics,
                  Table& table) {
  for (const auto& [statistic, value] : statistics.object()) {
    if (value.is_number()) {
      table.rows.push_back({name, prefix + statistic, value.number_text(), "", ""});
    }
  }
}

}  // namespace

Json to_json(const ChieResults& results) {
  const std::vector<ChieAgreement> none;
  const auto& agreements = results.agreements;
  Json json, systems{Json::Object()};
  for (size_t i = 0; i < results.evaluation.systems.size(); ++i) {
    const ChieSystem& system = results.evaluation.systems[i];
    systems[system.name] = system_json(system, results.words.systems[i]);
  }
  json["systems"] = std::move(systems);
  Json majority{Json::Object()};
  for (const MajorityCounts& counts : majority_rows(results)) {
    majority[counts.system] = majority_json(counts);
  }
  json["majority"] = std::move(majority);
  json["terciles"] = array_of(results.terciles, tercile_json);
  Json gold{Json::Object()};
  for (const ChieAgreement& agreement : agreements ? agreements->with_majority : none) {
    gold[agreement.first] = gold_json(agreement);
  }
  json["agreement"] = std::move(gold);
  json["judges"] = array_of(agreements ? agreements->judges : none, judges_json);
  json["disagreements"] = array_of(results.evaluation.disagreements, disagreement_json);
  const std::vector<std::string> notes = chie_notes(results);
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

Table chie_value_table(const ChieResults& results) {
  Table table{"", {"name", "figure", "value", "low", "high"}, {}, {}, {}};
  for (size_t i = 0; i < results.evaluation.systems.size(); ++i) {
    const ChieSystem& system = results.evaluation.systems[i];
    list_numbers(system.name, "", system_json(system, results.words.systems[i]), table);
  }
  for (const MajorityCounts& counts : majority_rows(results)) {
    list_numbers(counts.system, "majority_", majority_json(counts), table);
  }
  for (const ChieTercile& tercile : results.terciles) {
    list_numbers(tercile.name, "tercile_", tercile_json(tercile), table);
  }
  if (results.agreements) {
    list_agreements(results.agreements->with_majority, kGoldStatistics, kGoldKeys, "truth_", table);
    list_agreements(results.agreements->judges, kJudgeStatistics, kJudgeKeys, "judges_", table);
  }
  return table;
}

}  // namespace rubric::eval
