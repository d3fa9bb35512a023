// METEOR's own tokenisation of English (`-l en -norm` of METEOR 1.5, its class Normalizer), which
// is that of Moses with additions: quotes and dashes of one kind, no dashes inside words, no dots
// in abbreviations such as U.S.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::metrics {

// Words whose dot ends no sentence, without that dot ("Dr").
struct NonbreakingPrefixes {
  std::set<std::string, std::less<>> always;
  std::set<std::string, std::less<>> before_number;  // "No": only in "No. 5"
};

// Words and symbols separated by blanks, lower case.
std::string normalize_for_meteor(std::string_view text, const NonbreakingPrefixes& prefixes);

// The words of a normalised text, which must outlive them.
std::vector<std::string_view> meteor_words(std::string_view normalized);

}  // namespace rubric::metrics
