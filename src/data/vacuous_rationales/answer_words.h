// What stands around an answer that takes the place of a wh-phrase.
#pragma once

#include <string>

#include "data/vacuous_rationales/sentence_words.h"

namespace rubric {

// With "in", or "to" where `verb` (in its plain form) goes there; alone where it or what it is put
// behind brings a preposition. `before` may be empty.
Words place_words(const Words& answer, const Words& before, const std::string& verb);

// To "why" with "because of", "because" or "to", to "how" with "by" where `verb` is not "feel" or
// the like; alone where it brings such a word, and to "when".
Words manner_words(const std::string& wh, const Words& answer, const std::string& verb);

// The noun of "many PEOPLE", what stands behind "how", where the answer lacks it.
Words counted_noun(const Words& phrase, const Words& answer);

// Whether the word is a "do", "doing" or "done" that the answer's own verb replaces.
bool is_replaced(const Word& word, const Word& answer);

}  // namespace rubric
