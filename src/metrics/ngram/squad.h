// Token F1 and exact match as SQuAD v1.1's evaluation script computes them, and what is used on
// long answers instead: how much of the reference the candidate says.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rubric::metrics {

// Lower case, without ASCII punctuation and the articles a, an, the, words joined by one blank.
std::string normalize_answer(std::string_view text);

// How many words two normalised texts have in common, counted as often as they occur, and how many
// each has.
struct WordOverlap {
  double common = 0, candidate = 0, reference = 0;
};
WordOverlap word_overlap(std::string_view candidate, std::string_view reference);

// The best over the references, in [0, 1]. Two texts that are empty once normalised match exactly
// (1) and have F1 0: the script of v1.1, unlike that of v2.0, says so. `references` must not be
// empty.
double squad_f1(std::span<const std::string> references, std::string_view candidate);
double squad_exact_match(std::span<const std::string> references, std::string_view candidate);

// On words normalised the same way, the best over the references. Token recall: the share of the
// reference's words, counted as often as they occur, that the candidate has (Adlakha et al. 2024).
// Contains: 1 when the reference's words occur in the candidate in order and together. Both are 0
// for a reference that is empty once normalised: it says nothing that could be found.
double token_recall(std::span<const std::string> references, std::string_view candidate);
double contains_answer(std::span<const std::string> references, std::string_view candidate);

}  // namespace rubric::metrics
