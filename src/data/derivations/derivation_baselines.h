// R4C's two baselines, which make derivations from parsed sentences (Inoue et al. 2020, section 5).
// Noun chunks and named entities have been merged into single tokens, as the official scripts do.
#pragma once

#include <span>

#include "data/derivations/conllu.h"
#include "data/records.h"

namespace rubric {

// CORE: (title, root, its first child to the right) of the first of the sentences that `fact` was
// parsed into. "is" stands before a root tagged VBN; a child tagged IN joins the relation, and its
// own first child to the right is the tail. No step where there is no such child.
Derivation core_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences);

// IE: every pair of noun chunks of the first sentence in text order, with the text between them as
// the relation. The title takes the place of a head that is "she", "he", "it" or "they".
Derivation ie_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences);

}  // namespace rubric
