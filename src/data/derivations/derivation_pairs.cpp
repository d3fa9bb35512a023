#include "data/derivations/derivation_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "data/derivations/derivations.h"

namespace rubric {
namespace {

// A sentence of one of the question's articles; nullptr where it does not exist.
const std::string* find_sentence(const HotpotQuestion& question, const SupportingFact& fact) {
  const auto article = std::ranges::find(question.articles, fact.title, &Article::title);
  if (article == question.articles.end()) return nullptr;
  if (fact.sentence >= std::ssize(article->sentences)) return nullptr;
  return &article->sentences[static_cast<size_t>(fact.sentence)];
}

std::string source_of(const HotpotQuestion& question, std::vector<std::string>& passed_over) {
  std::vector<SupportingSentence> sentences;
  for (const SupportingFact& fact : question.supporting_facts) {
    const std::string* const text = find_sentence(question, fact);
    if (text != nullptr) {
      sentences.push_back({fact, *text});
    } else {
      passed_over.push_back(question.id + ": " + fact.title + " " + std::to_string(fact.sentence));
    }
  }
  return evidence_text(question.question, sentences);
}

std::map<std::string, const DerivationQuestion*> by_id(
    std::span<const HotpotQuestion> questions, std::span<const DerivationQuestion> references) {
  std::map<std::string, const DerivationQuestion*> found;
  for (const DerivationQuestion& question : references) found.emplace(question.id, &question);
  std::map<std::string, const DerivationQuestion*> lacking = found;
  for (const HotpotQuestion& question : questions) lacking.erase(question.id);
  if (lacking.empty()) return found;
  std::vector<std::string> ids;
  for (const auto& [id, question] : lacking) ids.push_back(json_quote(id));
  throw InputError("the HotpotQA file lacks " + std::to_string(ids.size()) +
                       " of the questions that have references",
                   join_some(ids), "give the HotpotQA file that R4C was drawn from");
}

}  // namespace

DerivationPairs derivation_sources(std::span<const HotpotQuestion> questions) {
  DerivationPairs pairs;
  for (const HotpotQuestion& question : questions) {
    pairs.rows.push_back({question.id, source_of(question, pairs.passed_over), ""});
  }
  return pairs;
}

DerivationPairs derivation_pairs(std::span<const HotpotQuestion> questions,
                                 std::span<const DerivationQuestion> references, int64_t most) {
  const auto references_of = by_id(questions, references);
  DerivationPairs pairs;
  for (const HotpotQuestion& question : questions) {
    const auto found = references_of.find(question.id);
    if (found == references_of.end()) continue;
    const std::string source = source_of(question, pairs.passed_over);
    const std::vector<Derivation>& all = found->second->references;
    const int64_t count = most == 0 ? std::ssize(all) : std::min(most, std::ssize(all));
    for (const Derivation& reference : std::span(all).first(static_cast<size_t>(count))) {
      pairs.rows.push_back({question.id, source, derivation_text(reference)});
    }
  }
  return pairs;
}

}  // namespace rubric
