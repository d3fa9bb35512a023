// Texts as sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rubric::text {

// The sentences of English text, without white space around them; none of a text without words.
// They end where ICU has it (Unicode Standard Annex 29) but behind an abbreviation of CLDR's list.
// nltk's sent_tokenize, a trained model, divides some texts otherwise.
std::vector<std::string> sentences_of(std::string_view text);

}  // namespace rubric::text
