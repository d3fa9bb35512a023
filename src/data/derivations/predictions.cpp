#include "data/derivations/predictions.h"

#include <map>
#include <set>

#include "core/error.h"
#include "data/derivations/derivations.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

using Parses = std::map<SupportingFact, std::vector<ParsedSentence>>;

// Parses by sentence of an article, which the parser may have split.
Parses parses_by_sentence(const std::filesystem::path& file) {
  Parses parses;
  for (ParsedSentence& sentence : read_conllu(file)) {
    parses[sentence.source].push_back(std::move(sentence));
  }
  return parses;
}

void require_parsed(const std::vector<HotpotQuestion>& questions, const Parses& parses,
                    const std::filesystem::path& articles, const std::filesystem::path& parsed) {
  std::set<std::string> unparsed;
  for (const HotpotQuestion& question : questions) {
    for (const SupportingFact& fact : question.supporting_facts) {
      if (!parses.contains(fact)) unparsed.insert(fact.title + " " + std::to_string(fact.sentence));
    }
  }
  if (unparsed.empty()) return;
  throw InputError(
      std::to_string(unparsed.size()) +
          " supporting facts are not parsed: " + join_some({unparsed.begin(), unparsed.end()}),
      parsed.string(), "parse them: scripts/parse " + articles.string() + " FILE.conllu");
}

}  // namespace

DerivationPredictions baseline_predictions(const std::filesystem::path& articles,
                                           const std::filesystem::path& parses,
                                           DerivationBaseline derive) {
  const std::vector<HotpotQuestion> questions = read_hotpotqa(articles);
  const Parses parsed = parses_by_sentence(parses);
  require_parsed(questions, parsed, articles, parses);
  DerivationPredictions predictions;
  Json::Object derivations, facts;
  for (const HotpotQuestion& question : questions) {
    Derivation derivation;
    Json::Array sentences;
    for (const SupportingFact& fact : question.supporting_facts) {
      const Derivation of_fact = derive(fact, parsed.at(fact));
      derivation.insert(derivation.end(), of_fact.begin(), of_fact.end());
      sentences.push_back(Json::Array{fact.title, fact.sentence});
    }
    predictions.steps += std::ssize(derivation);
    derivations.emplace_back(question.id, to_json(derivation));
    facts.emplace_back(question.id, std::move(sentences));
  }
  predictions.questions = std::ssize(questions);
  predictions.json = Json::Object{{"re", std::move(derivations)}, {"sp", std::move(facts)}};
  return predictions;
}

DerivationPredictions text_predictions(const std::filesystem::path& file, InputFormat format,
                                       const std::string& field) {
  DerivationPredictions predictions;
  Json::Object derivations;
  std::set<std::string> ids;
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    row.require("id", where);
    const std::string id = optional_text(row, "id", where);
    if (id.empty()) throw InputError("the field \"id\" is empty", where, "give the question's id");
    if (!ids.insert(id).second) {
      throw InputError("the id " + json_quote(id) + " is there twice", where, "give one text each");
    }
    const std::optional<Derivation> derivation = parse_derivation(row.require_string(field, where));
    if (!derivation) predictions.malformed.push_back(id);
    predictions.steps += derivation ? std::ssize(*derivation) : 0;
    derivations.emplace_back(id, to_json(derivation.value_or(Derivation{})));
    return true;
  });
  if (derivations.empty()) throw InputError("the file has no rows", file.string());
  predictions.questions = std::ssize(derivations);
  predictions.json = Json::Object{{"re", std::move(derivations)}};
  return predictions;
}

}  // namespace rubric::data
