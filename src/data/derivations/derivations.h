// Derivations, and what they are drawn from, as text: for models that read and write sequences.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/records.h"

namespace rubric {

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

}  // namespace rubric
