#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/text/ascii.h"
#include "data/derivations/derivations.h"

namespace rubric::data {
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
