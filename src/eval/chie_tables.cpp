#include "eval/chie_tables.h"

#include <algorithm>
#include <utility>

#include "eval/figures.h"

namespace rubric {
namespace {

std::string percent(std::optional<double> value) {
  constexpr int kDecimals = 2;  // as the paper has them
  return value ? format_fixed(*value, kDecimals) : "–";
}

std::string verdict_text(const std::optional<Verdicts>& verdicts) {
  if (!verdicts) return "invalid";
  std::string text;
  for (const bool agrees : *verdicts) text += (text.empty() ? "" : " ") + std::to_string(agrees);
  return text;
}

Table disagreement_table(const ChieEvaluation& evaluation) {
  Table table{"Replies that the two parsers read differently",
              {"system", "id", "published", "strict"},
              {},
              {Align::left, Align::left, Align::left, Align::left},
              {"C H I E, 1: the judge agrees"}};
  for (const ParserDisagreement& one : evaluation.disagreements) {
    table.rows.push_back(
        {one.system, one.id, verdict_text(one.published), verdict_text(one.strict)});
  }
  return table;
}

}  // namespace

std::vector<std::string> chie_notes(const ChieEvaluation& evaluation) {
  const bool is_strict = evaluation.parser == VerdictParser::strict;
  std::vector<std::string> notes = {
      std::string("C, H, I, E: on how many answers the judge agrees, by the ") +
      (is_strict ? "strict" : "published") + " parser; more is better for C and H"};
  const auto lacks_f1 = [](const ChieSystem& system) { return !system.f1; };
  if (std::ranges::any_of(evaluation.systems, lacks_f1)) {
    notes.emplace_back("–: F1 and EM count words, which the language does not separate");
  }
  if (!evaluation.disagreements.empty()) {
    notes.push_back(std::to_string(evaluation.disagreements.size()) +
                    " replies are read otherwise by the " + (is_strict ? "published" : "strict") +
                    " parser");
  }
  return notes;
}

std::vector<Table> chie_tables(const ChieEvaluation& evaluation) {
  Table table{"CHIE by system",
              {"system", "language"},
              {},
              {Align::left, Align::left},
              chie_notes(evaluation)};
  table.header.insert(table.header.end(), kAspects.begin(), kAspects.end());
  for (const char* name : {"n", "invalid", "F1", "EM"}) table.header.emplace_back(name);
  for (const ChieSystem& system : evaluation.systems) {
    std::vector<std::string> row = {system.name, system.language};
    for (const int64_t agreed : system.agreed) row.push_back(std::to_string(agreed));
    row.insert(row.end(), {std::to_string(system.n), std::to_string(system.invalid),
                           percent(system.f1), percent(system.em)});
    table.rows.push_back(std::move(row));
  }
  std::vector<Table> tables = {std::move(table)};
  if (!evaluation.disagreements.empty()) tables.push_back(disagreement_table(evaluation));
  return tables;
}

Table chie_figure_list(const ChieEvaluation& evaluation) {
  Table table{"", {"system", "figure", "value"}, {}, {}, {}};
  for (const ChieSystem& system : evaluation.systems) {
    const auto add = [&](const std::string& figure, const std::string& value) {
      table.rows.push_back({system.name, figure, value});
    };
    for (size_t i = 0; i < kAspects.size(); ++i) add(kAspects[i], std::to_string(system.agreed[i]));
    add("n", std::to_string(system.n));
    add("invalid", std::to_string(system.invalid));
    add("f1", number(system.f1));
    add("em", number(system.em));
  }
  return table;
}

Json to_json(const ChieEvaluation& evaluation) {
  Json json, systems{Json::Object()};
  for (const ChieSystem& system : evaluation.systems) {
    Json& figures = systems[system.name];
    for (size_t i = 0; i < kAspects.size(); ++i) figures[kAspects[i]] = system.agreed[i];
    figures["n"] = system.n;
    figures["invalid"] = system.invalid;
    figures["f1"] = or_null(system.f1);
    figures["em"] = or_null(system.em);
    figures["bertscore"] = Json();
    figures["mean_length"] = Json();
    figures["language"] = system.language;
  }
  json["systems"] = std::move(systems);
  Json::Array disagreements;
  for (const ParserDisagreement& one : evaluation.disagreements) {
    disagreements.emplace_back(Json::Object{{"system", one.system},
                                            {"language", one.language},
                                            {"id", one.id},
                                            {"published", to_json(one.published)},
                                            {"strict", to_json(one.strict)}});
  }
  json["disagreements"] = std::move(disagreements);
  const std::vector<std::string> notes = chie_notes(evaluation);
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

}  // namespace rubric
