// Derivations, and what they are drawn from, as text: for models that read and write sequences.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/derivations/readers.h"
#include "data/records.h"

namespace rubric::data {

// One step after another:
//   TITLE | SENTENCE | HEAD | RELATION | TAIL ; TITLE | SENTENCE | HEAD | RELATION | TAIL
// A "|" or ";" of the text is written twice. A derivation without steps is "".
std::string derivation_text(const Derivation& derivation);

// The derivation that `text` says, without the blanks and tabs around its parts; nothing when it is
// malformed. Gives back what derivation_text() was given, but for those at the ends of a part.
std::optional<Derivation> parse_derivation(std::string_view text);

struct SupportingSentence {
  SupportingFact fact;
  std::string text;
};

// The question and the sentences that a derivation may name, in the same form:
//   QUESTION ; TITLE | SENTENCE | TEXT ; TITLE | SENTENCE | TEXT
// Blanks at the ends of the question and of the texts are left out.
std::string evidence_text(const std::string& question,
                          const std::vector<SupportingSentence>& sentences);

// What a sequence model learns to derive from: the question and its supporting sentences as text.

struct DerivationPairs {
  std::vector<SourceTarget> rows;        // ids are the questions'
  std::vector<std::string> passed_over;  // facts of sentences that do not exist: "ID: TITLE 3"
};

// One row a question, without a target.
DerivationPairs derivation_sources(std::span<const HotpotQuestion> questions);

// One row for each reference of the questions that have some, in the order of `questions`: the
// first `most` of each question, 0: all. Throws InputError, naming them, where `references` are of
// questions that `questions` lack.
DerivationPairs derivation_pairs(std::span<const HotpotQuestion> questions,
                                 std::span<const DerivationQuestion> references, int64_t most);

// R4C's two baselines, which make derivations from parsed sentences (Inoue et al. 2020, section 5).
// Noun chunks and named entities have been merged into single tokens, as the official scripts do.

// CORE: (title, root, its first child to the right) of the first of the sentences that `fact` was
// parsed into. "is" stands before a root tagged VBN; a child tagged IN joins the relation, and its
// own first child to the right is the tail. No step where there is no such child.
Derivation core_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences);

// IE: every pair of noun chunks of the first sentence in text order, with the text between them as
// the relation. The title takes the place of a head that is "she", "he", "it" or "they".
Derivation ie_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences);

}  // namespace rubric::data
