// BLEU of one sentence, as the MS-COCO caption scripts compute it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rubric {

// BLEU-1 … BLEU-4 (Papineni et al. 2002) for `order` 1 … 4, in [0, 1]. Clips over all references,
// takes the reference length closest to the candidate's (the shorter on a tie) and keeps the
// constants of pycocoevalcap's BleuScorer, so that no match scores almost 0 instead of 0. Words are
// what Python's str.split() gives. `references` must not be empty.
double bleu(std::span<const std::string> references, std::string_view candidate, int order);

}  // namespace rubric
