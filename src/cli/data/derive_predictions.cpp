#include <map>
#include <set>

#include "cli/data/derive_kinds.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/derivations/derivations.h"
#include "data/derivations/readers.h"
#include "data/rows/rows.h"

namespace rubric::cli {
namespace {

using Parses = std::map<data::SupportingFact, std::vector<data::ParsedSentence>>;
using DerivationBaseline = data::Derivation (*)(const data::SupportingFact&,
                                                std::span<const data::ParsedSentence>);

// Parses by sentence of an article, which the parser may have split.
Parses parses_by_sentence(const std::string& file) {
  Parses parses;
  for (data::ParsedSentence& sentence : data::read_conllu(file)) {
    parses[sentence.source].push_back(std::move(sentence));
  }
  return parses;
}

std::vector<std::string> unparsed_facts(const std::vector<data::HotpotQuestion>& questions,
                                        const Parses& parses) {
  std::set<std::string> unparsed;
  for (const data::HotpotQuestion& question : questions) {
    for (const data::SupportingFact& fact : question.supporting_facts) {
      if (!parses.contains(fact)) unparsed.insert(fact.title + " " + std::to_string(fact.sentence));
    }
  }
  return {unparsed.begin(), unparsed.end()};
}

// The steps of each supporting fact, by question, and the facts themselves ("sp").
Json baseline_predictions(DerivationBaseline derive, const OptionValues& values) {
  const std::string articles = file_option(values, "articles");
  const std::string parsed = file_option(values, "parses");
  const std::vector<data::HotpotQuestion> questions = data::read_hotpotqa(articles);
  const Parses parses = parses_by_sentence(parsed);
  const std::vector<std::string> unparsed = unparsed_facts(questions, parses);
  if (!unparsed.empty()) {
    throw InputError(std::to_string(unparsed.size()) +
                         " supporting facts are not parsed: " + join_some(unparsed),
                     parsed, "parse them: scripts/parse " + articles + " FILE.conllu");
  }
  Json::Object derivations, facts;
  for (const data::HotpotQuestion& question : questions) {
    data::Derivation derivation;
    Json::Array sentences;
    for (const data::SupportingFact& fact : question.supporting_facts) {
      const data::Derivation of_fact = derive(fact, parses.at(fact));
      derivation.insert(derivation.end(), of_fact.begin(), of_fact.end());
      sentences.push_back(Json::Array{fact.title, fact.sentence});
    }
    derivations.emplace_back(question.id, data::to_json(derivation));
    facts.emplace_back(question.id, std::move(sentences));
  }
  return Json::Object{{"re", std::move(derivations)}, {"sp", std::move(facts)}};
}

// Warns of malformed texts, whose derivations have no steps and score 0.
Json text_predictions(const OptionValues& values) {
  const std::string input = file_option(values, "input"), named = text_option(values, "text");
  const std::string field = named.empty() ? "text" : named;
  Json::Object derivations;
  std::set<std::string> ids;
  std::vector<std::string> malformed;
  const auto read_row = [&](const Json& row, const std::string& where) {
    row.require("id", where);
    const std::string id = data::optional_text(row, "id", where);
    if (id.empty()) throw InputError("the field \"id\" is empty", where, "give the question's id");
    if (!ids.insert(id).second) {
      throw InputError("the id " + json_quote(id) + " is there twice", where, "give one text each");
    }
    const std::optional<data::Derivation> derivation =
        data::parse_derivation(row.require_string(field, where));
    if (!derivation) malformed.push_back(json_quote(id));
    derivations.emplace_back(id, data::to_json(derivation.value_or(data::Derivation{})));
    return true;
  };
  data::visit_rows(input, row_format_option(values, input), read_row);
  if (derivations.empty()) throw InputError("the file has no rows", input);
  if (!malformed.empty()) {
    log_warning(
        std::to_string(malformed.size()) + " of " + std::to_string(derivations.size()) +
        " texts are malformed and become derivations without steps: " + join_some(malformed));
  }
  return Json::Object{{"re", std::move(derivations)}};
}

// Returns the number of steps of all derivations.
size_t write_predictions(const Json& predictions, const std::string& output) {
  write_file(output, predictions.dump() + "\n");
  const Json::Object& derivations = predictions.find("re")->object();
  size_t steps = 0;
  for (const auto& [id, derivation] : derivations) steps += derivation.array().size();
  log_info(std::to_string(derivations.size()) + " questions, " + std::to_string(steps) +
           " steps in " + output);
  return steps;
}

void write_baseline(const Json& predictions, const std::string& output) {
  if (write_predictions(predictions, output) > 0) return;
  log_warning("no step was derived: has the parse roots and noun chunks?");
}

}  // namespace

void derive_core(const OptionValues& values, const std::string& output) {
  write_baseline(baseline_predictions(data::core_derivation, values), output);
}

void derive_ie(const OptionValues& values, const std::string& output) {
  write_baseline(baseline_predictions(data::ie_derivation, values), output);
}

void derive_from_text(const OptionValues& values, const std::string& output) {
  write_predictions(text_predictions(values), output);
}

}  // namespace rubric::cli
