#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "data/derivations/derivations.h"

namespace rubric::data {

namespace {

constexpr char kPart = '|', kStep = ';';
constexpr size_t kParts = 5;

std::string escaped(std::string_view part) {
  std::string text;
  for (const char c : part) {
    text += c;
    if (c == kPart || c == kStep) text += c;
  }
  return text;
}

using Parts = std::vector<std::string>;

std::vector<Parts> steps_of(std::string_view text) {
  std::vector<Parts> steps = {{""}};
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != kPart && c != kStep) {
      steps.back().back() += c;
    } else if (i + 1 < text.size() && text[i + 1] == c) {
      steps.back().back() += c;
      ++i;
    } else if (c == kPart) {
      steps.back().emplace_back();
    } else {
      steps.push_back({""});
    }
  }
  return steps;
}

std::optional<DerivationStep> step_of(const Parts& parts) {
  if (parts.size() != kParts) return std::nullopt;
  const auto part = [&](size_t i) { return std::string(trim(parts[i])); };
  const std::optional<int64_t> sentence = parse_count(part(1));
  if (!sentence) return std::nullopt;
  return DerivationStep{part(0), *sentence, part(2), part(3), part(4)};
}

// A sentence of one of the question's articles; nullptr if it does not exist.
const std::string* find_sentence(const HotpotQuestion& question, const SupportingFact& fact) {
  const auto article = std::ranges::find(question.articles, fact.title, &Article::title);
  if (article == question.articles.end()) return nullptr;
  if (fact.sentence >= std::ssize(article->sentences)) return nullptr;
  return &article->sentences[static_cast<size_t>(fact.sentence)];
}

std::string source_of(const HotpotQuestion& question, std::vector<std::string>& skipped) {
  std::vector<SupportingSentence> sentences;
  for (const SupportingFact& fact : question.supporting_facts) {
    const std::string* const text = find_sentence(question, fact);
    if (text != nullptr) {
      sentences.push_back({fact, *text});
    } else {
      skipped.push_back(question.id + ": " + fact.title + " " + std::to_string(fact.sentence));
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

std::string derivation_text(const Derivation& derivation) {
  std::string text;
  for (const DerivationStep& step : derivation) {
    if (!text.empty()) text += " ; ";
    text += escaped(step.title) + " | " + std::to_string(step.sentence);
    for (const std::string* const part : {&step.head, &step.relation, &step.tail}) {
      text += " | " + escaped(*part);
    }
  }
  return text;
}

std::string evidence_text(const std::string& question,
                          const std::vector<SupportingSentence>& sentences) {
  std::string text = escaped(trim(question));
  for (const auto& [fact, sentence] : sentences) {
    text += " ; " + escaped(fact.title) + " | " + std::to_string(fact.sentence) + " | " +
            escaped(trim(sentence));
  }
  return text;
}

std::optional<Derivation> parse_derivation(std::string_view text) {
  Derivation derivation;
  if (trim(text).empty()) return derivation;
  for (const Parts& parts : steps_of(text)) {
    std::optional<DerivationStep> step = step_of(parts);
    if (!step) return std::nullopt;
    derivation.push_back(std::move(*step));
  }
  return derivation;
}

DerivationPairs derivation_sources(std::span<const HotpotQuestion> questions) {
  DerivationPairs pairs;
  for (const HotpotQuestion& question : questions) {
    pairs.rows.push_back({question.id, source_of(question, pairs.skipped), ""});
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
    const std::string source = source_of(question, pairs.skipped);
    const std::vector<Derivation>& all = found->second->references;
    const int64_t count = most == 0 ? std::ssize(all) : std::min(most, std::ssize(all));
    for (const Derivation& reference : std::span(all).first(static_cast<size_t>(count))) {
      pairs.rows.push_back({question.id, source, derivation_text(reference)});
    }
  }
  return pairs;
}

}  // namespace rubric::data
