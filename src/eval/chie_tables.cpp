#include "eval/chie_tables.h"

#include <utility>

#include "core/error.h"
#include "eval/figures.h"

namespace rubric {
namespace {

constexpr int kDecimals = 2;  // as the paper has them

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

std::vector<std::string> chie_notes(const ChieEvaluation& evaluation,
                                    const ChieWordFigures& words) {
  const bool is_strict = evaluation.parser == VerdictParser::strict;
  std::vector<std::string> notes = {
      std::string("C, H, I, E: on how many answers the judge agrees, by the ") +
      (is_strict ? "strict" : "published") + " parser; more is better for C and H"};
  notes.push_back("length: the answers' mean in words, cut by " + join(words.segmenters));
  if (!evaluation.disagreements.empty()) {
    notes.push_back(std::to_string(evaluation.disagreements.size()) +
                    " replies are read otherwise by the " + (is_strict ? "published" : "strict") +
                    " parser");
  }
  return notes;
}

std::vector<Table> chie_tables(const ChieEvaluation& evaluation, const ChieWordFigures& words) {
  Table table{"CHIE by system",
              {"system", "language"},
              {},
              {Align::left, Align::left},
              chie_notes(evaluation, words)};
  table.header.insert(table.header.end(), kAspects.begin(), kAspects.end());
  for (const char* name : {"n", "invalid", "F1", "EM", "BERTScore", "length"})
    table.header.emplace_back(name);
  for (size_t i = 0; i < evaluation.systems.size(); ++i) {
    const ChieSystem& system = evaluation.systems[i];
    std::vector<std::string> row = {system.name, system.language};
    for (const int64_t agreed : system.agreed) row.push_back(std::to_string(agreed));
    row.insert(row.end(), {std::to_string(system.n), std::to_string(system.invalid)});
    const auto& [f1, em, length] = words.systems[i];
    row.insert(row.end(),
               {format_fixed(f1, kDecimals), format_fixed(em, kDecimals),
                system.bertscore ? format_fixed(*system.bertscore, kDecimals) : "not scored",
                format_fixed(length, kDecimals)});
    table.rows.push_back(std::move(row));
  }
  std::vector<Table> tables = {std::move(table)};
  if (!evaluation.disagreements.empty()) tables.push_back(disagreement_table(evaluation));
  return tables;
}

Table chie_figure_list(const ChieEvaluation& evaluation, const ChieWordFigures& words) {
  Table table{"", {"system", "figure", "value"}, {}, {}, {}};
  const Json json = to_json(evaluation, words);
  for (const auto& [system, figures] : json.find("systems")->object()) {
    for (const auto& [name, value] : figures.object()) {
      if (value.is_number()) table.rows.push_back({system, name, value.number_text()});
    }
  }
  return table;
}

Json to_json(const ChieEvaluation& evaluation, const ChieWordFigures& words) {
  Json json, systems{Json::Object()};
  for (size_t i = 0; i < evaluation.systems.size(); ++i) {
    const ChieSystem& system = evaluation.systems[i];
    Json& figures = systems[system.name];
    for (size_t j = 0; j < kAspects.size(); ++j) figures[kAspects[j]] = system.agreed[j];
    figures["n"] = system.n;
    figures["invalid"] = system.invalid;
    figures["f1"] = words.systems[i].f1;
    figures["em"] = words.systems[i].em;
    figures["bertscore"] = or_null(system.bertscore);
    figures["mean_length"] = words.systems[i].mean_length;
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
  const std::vector<std::string> notes = chie_notes(evaluation, words);
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

}  // namespace rubric
