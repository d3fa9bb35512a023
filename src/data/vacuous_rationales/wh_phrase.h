// Where a sentence asks.
#pragma once

#include <optional>
#include <string>

#include "data/vacuous_rationales/sentence_words.h"

namespace rubric {

// In front of an auxiliary: "[In] what house would …". Places in the sentence.
struct WhPhrase {
  size_t start = 0;  // of a preposition before the wh-word, else the wh-word
  size_t wh = 0;
  size_t auxiliary = 0;
};

// The last one; one at the start of a part of the sentence rather than one within.
std::optional<WhPhrase> find_phrase(const Words& sentence);

// Whether a part of the sentence begins there: behind a comma or "and".
bool begins_part(const Words& sentence, size_t at);

bool is_what(const std::string& wh);  // or "whats"

// The wh-word that is replaced where it stands: the last "what", else a "where" behind other words.
// The sentence's size where there is none.
size_t find_inside(const Words& sentence);

// Where the noun behind that "what" ends: "what sort of pain | when".
size_t end_of_noun(const Words& sentence, size_t wh);

}  // namespace rubric
