// METEOR's tokenisation of English (class Normalizer of METEOR 1.5, `-l en -norm`): that of Moses,
// and also one kind of quotes and dashes, no dashes inside words, no dots in abbreviations such as
// U.S.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::metrics {

// Words whose dot does not end a sentence, without the dot ("Dr").
struct NonbreakingPrefixes {
  std::set<std::string, std::less<>> always;
  std::set<std::string, std::less<>> before_number;  // "No": only in "No. 5"
};

// Returns words and symbols in lower case, separated by spaces.
std::string normalize_for_meteor(std::string_view text, const NonbreakingPrefixes& prefixes);

// The words of a normalised text; they point into it.
std::vector<std::string_view> meteor_words(std::string_view normalized);

}  // namespace rubric::metrics
