// Token F1 and exact match as SQuAD v1.1's evaluation script computes them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rubric {

// Lower case, without ASCII punctuation and the articles a, an, the, words joined by one blank.
std::string normalize_answer(std::string_view text);

// The best over the references, in [0, 1]. Two texts that are empty once normalised match exactly
// (1) and have F1 0: the script of v1.1, unlike that of v2.0, says so. `references` must not be
// empty.
double squad_f1(std::span<const std::string> references, std::string_view candidate);
double squad_exact_match(std::span<const std::string> references, std::string_view candidate);

}  // namespace rubric
