#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/error.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
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
  throw InputError(counted(std::ssize(unparsed), "supporting fact is", "supporting facts are") +
                       " not parsed: " + join_some({unparsed.begin(), unparsed.end()}),
                   parsed.string(),
                   "parse them: scripts/parse " + shell_word(articles.string()) + " FILE.conllu");
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
    const std::string id = optional_name(row, "id", where);
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
  if (derivations.empty()) throw no_rows(file);
  predictions.questions = std::ssize(derivations);
  predictions.json = Json::Object{{"re", std::move(derivations)}};
  return predictions;
}

namespace {

std::optional<size_t> first_right_child(const std::vector<ParsedToken>& tokens, size_t head) {
  for (size_t i = head + 1; i < tokens.size(); ++i) {
    if (tokens[i].head == static_cast<int64_t>(head)) return i;
  }
  return std::nullopt;
}

// The text of tokens [begin, end), without trailing space.
std::string text_of(std::span<const ParsedToken> tokens, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    text += tokens[i].form;
    if (tokens[i].is_before_space && i + 1 < end) text += ' ';
  }
  return text;
}

// The pronouns that the official script replaces by the article's title.
bool is_title_pronoun(const std::string& text) {
  constexpr std::array kPronouns = {"she", "he", "it", "they"};
  return std::ranges::find(kPronouns, ascii_lower(text)) != kPronouns.end();
}

struct NounChunk {
  size_t begin, end;  // tokens
};

}  // namespace

Derivation core_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences) {
  if (sentences.empty() || sentences.front().tokens.empty()) return {};
  const std::vector<ParsedToken>& tokens = sentences.front().tokens;
  size_t root = 0;
  while (tokens[root].head != -1) ++root;
  std::string relation = (tokens[root].tag == "VBN" ? "is " : "") + tokens[root].form;
  std::optional<size_t> child = first_right_child(tokens, root);
  if (child && tokens[*child].tag == "IN") {
    relation += " " + tokens[*child].form;
    child = first_right_child(tokens, *child);
  }
  if (!child) return {};
  return {{fact.title, fact.sentence, fact.title, relation, tokens[*child].form}};
}

Derivation ie_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences) {
  if (sentences.empty()) return {};
  const std::vector<ParsedToken>& tokens = sentences.front().tokens;
  std::vector<NounChunk> chunks;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].begins_noun_chunk) {
      chunks.push_back({i, i + 1});
    } else if (tokens[i].is_in_noun_chunk && !chunks.empty() && chunks.back().end == i) {
      chunks.back().end = i + 1;
    }
  }
  Derivation derivation;
  for (size_t i = 0; i < chunks.size(); ++i) {
    std::string head = text_of(tokens, chunks[i].begin, chunks[i].end);
    if (is_title_pronoun(head)) head = fact.title;
    for (size_t j = i + 1; j < chunks.size(); ++j) {
      derivation.push_back({fact.title, fact.sentence, head,
                            text_of(tokens, chunks[i].end, chunks[j].begin),
                            text_of(tokens, chunks[j].begin, chunks[j].end)});
    }
  }
  return derivation;
}

}  // namespace rubric::data
