// Derivations as text, for models that read and write sequences.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/records.h"

namespace rubric {

// One step after another:
//   TITLE | SENTENCE | HEAD | RELATION | TAIL ; TITLE | SENTENCE | HEAD | RELATION | TAIL
// A "|" or ";" of the text is written twice. A derivation without steps is "".
std::string derivation_text(const Derivation& derivation);

// The derivation that `text` says, without the blanks and tabs around its parts; nothing when it is
// malformed. Gives back what derivation_text() was given, but for those at the ends of a part.
std::optional<Derivation> parse_derivation(std::string_view text);

}  // namespace rubric
